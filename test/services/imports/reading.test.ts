import { gzipSync } from 'node:zlib';
import test from 'ava';
import { createImportReader, readOrders } from '../../../src/services/imports/reading.js';

const app = { readImport: createImportReader() };
const accountId = 1;

test('readOrders: throws what went wrong in the thread, and calls no file too large for it', async (t) => {
  await t.throwsAsync(readOrders(app, Buffer.from('no table'), { accountId, columns: [] }), {
    message: 'incorrect header check',
  });
  await t.throwsAsync(readOrders(app, gzipSync('{}'), { accountId, columns: [] }), {
    message: 'The kept table of a file is not one.',
  });
});
