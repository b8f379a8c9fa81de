import test from 'ava';
import { v2Routes } from '../../src/api/v2/routes.js';

/** Sent as POST because they take a body. */
const READS = new Set(['dryRunShipment']);

test('v2Routes: each route that changes something has a name in the audit, and those that read have none', (t) => {
  for (const { method, operationId, audit } of v2Routes)
    t.is(audit === undefined, method === 'get' || READS.has(operationId), operationId);
});
