import { basename } from 'node:path';

/** What takes long, and goes first, so that none of it runs alone at the end. */
const LONG = /[\\/]test[\\/](?:faults|e2e|workflows|documents)[\\/]/;

/** By name, whatever the folder: tests of faults mostly wait, and leave the processor to those between them. */
function order(one, other) {
  const rank = Number(LONG.test(other)) - Number(LONG.test(one));
  return rank || (basename(one) < basename(other) ? -1 : 1);
}

/** Loading modules makes much that lives on: with 64 MiB for what is new, V8 moves it fewer times. */
const ROOM_FOR_NEW = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Tests are compiled first (npm test does); one process a file. On two slow cores a fourth at a time makes others wait for minutes. */
export default {
  files: ['dist*/test/**/*.test.js'],
  workerThreads: false,
  nodeArguments: ROOM_FOR_NEW,
  concurrency: 3,
  sortTestFiles: order,
  // Without any result. A machine under load is three times slower.
  timeout: '6m',
};
