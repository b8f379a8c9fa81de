import { basename } from 'node:path';

/**
 * By name, whatever the folder: tests of faults, of workflows and of a whole day mostly wait, and leave the processor to
 * those between them.
 */
function order(one, other) {
  return basename(one) < basename(other) ? -1 : 1;
}

/** Loading modules makes much that lives on: with 64 MiB for what is new, V8 moves it fewer times. */
const ROOM_FOR_NEW = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/**
 * Tests are compiled first (npm test does); one process a file, or a group of files. Four keep two quiet cores busy: half
 * of the time a file waits. The cores of CI are shared and slow: a fourth once made others wait for minutes there.
 */
export default {
  // .mjs: groups of files, which npm test writes.
  files: ['dist*/test/**/*.test.{js,mjs}'],
  workerThreads: false,
  nodeArguments: ROOM_FOR_NEW,
  concurrency: process.env.CI === undefined ? 4 : 3,
  sortTestFiles: order,
  // Without any result. A machine under load is three times slower.
  timeout: '6m',
};
