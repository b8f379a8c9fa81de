/** Tests are compiled first (npm test does); one process a file, two at a time. */
export default {
  files: ['dist*/test/**/*.test.js'],
  workerThreads: false,
  concurrency: 2,
  timeout: '2m',
};
