import { gzipSync } from 'node:zlib';
import test from 'ava';
import { readOrders } from '../../../src/services/imports/reading.js';

const accountId = 1;

test('readOrders: throws what went wrong in the thread, and calls no file too large for it', async (t) => {
  await t.throwsAsync(readOrders(Buffer.from('no table'), { accountId, columns: [] }), {
    message: 'incorrect header check',
  });
  await t.throwsAsync(readOrders(gzipSync('{}'), { accountId, columns: [] }), {
    message: 'The kept table of a file is not one.',
  });
});
