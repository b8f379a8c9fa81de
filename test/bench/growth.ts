import { startStack } from '../support/stack.js';
import { comparePairs } from './pairs.js';

/** Creations a second by one API and one worker, and by two of each, on the development server. */
const [one, two] = await Promise.all([startStack(), startStack()]);
try {
  await comparePairs(one, two);
} finally {
  await Promise.all([one.close(), two.close()]);
}
