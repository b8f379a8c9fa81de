/** The longest first, so that none of them runs alone at the end. */
const LONG = ['faults', 'e2e', 'workflows', 'documents'];

function rank(file) {
  const place = LONG.findIndex((folder) => file.includes(`/test/${folder}/`));
  return place === -1 ? LONG.length : place;
}

/** Nine times later than V8 would: most processes end before an optimised function has paid for itself. */
const OPTIMISE_LATE = '--interrupt-budget=600000';

/** Tests are compiled first (npm test does); one process a file, three at a time: many only wait for an engine. */
export default {
  files: ['dist*/test/**/*.test.js'],
  workerThreads: false,
  nodeArguments: [OPTIMISE_LATE],
  concurrency: 3,
  sortTestFiles: (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
  timeout: '2m',
};
