import test from 'ava';
import { v2Routes } from '../../src/api/v2/routes.js';

test('v2Routes: each route that changes something has a name in the audit, and those that read have none', (t) => {
  for (const { method, operationId, audit } of v2Routes)
    t.is(audit === undefined, method === 'get', operationId);
});
