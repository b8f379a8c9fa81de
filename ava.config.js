/** The longest first, so that none of them runs alone at the end. */
const LONG = ['faults', 'e2e', 'workflows', 'documents'];

function rank(file) {
  const place = LONG.findIndex((folder) => file.includes(`/test/${folder}/`));
  return place === -1 ? LONG.length : place;
}

/** Nine times later than V8 would: most processes end before an optimised function has paid for itself. */
const OPTIMISE_LATE = '--interrupt-budget=600000';

/** Loading modules makes much that lives on: with 64 MiB for what is new, V8 moves it fewer times. */
const ROOM_FOR_NEW = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Tests are compiled first (npm test does); one process a file, three at a time: many only wait for an engine. */
export default {
  files: ['dist*/test/**/*.test.js'],
  workerThreads: false,
  nodeArguments: [OPTIMISE_LATE, ...ROOM_FOR_NEW],
  concurrency: 3,
  sortTestFiles: (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
  timeout: '2m',
};
