import test from 'ava';
import { shipmentBody, startApiStack } from '../support/api-client.js';
import { CleanUps } from '../support/clean-ups.js';
import { eventually } from '../support/conditions.js';
import { client, clientOf } from '../support/typescript-client.js';

const owner = new CleanUps();
const { stack, api } = await startApiStack();
owner.teardown(() => stack.close());
const parcels = clientOf(api.url, stack.account);
test.after.always(() => owner.end());

test('createShipment: a parcel when new, its first answer when repeated, a conflict when the body is another', async (t) => {
  const body = shipmentBody(stack.account, 'run');
  const key = `three-${process.pid}`;

  const first = await parcels.createShipment(body, { key });
  const again = await parcels.createShipment(body, { key });
  const other = await t.throwsAsync<any>(
    parcels.createShipment({ ...body, order: { id: 'another' } }, { key }),
    { instanceOf: client.ApiError },
  );

  t.like(first, { key, isReplay: false, isRunning: false, tries: 1, raw: { status: 201 } });
  t.truthy(first.data.tracking_code);
  t.like(again, { key, isReplay: true, isRunning: false });
  t.is(again.raw.text, first.raw.text);
  t.like(other, { code: 'idempotency_key_conflict', status: 409, key, isSafeToRepeat: true, tries: 1 });
  t.regex(other.message, new RegExp(first.data.uuid));
});

test('createShipment: running when the carrier takes long, and the same key joins it', async (t) => {
  const body = shipmentBody(stack.account, 'lionwheel');
  const key = `runs-${process.pid}`;
  const sandbox = stack.sandboxes.get('lionwheel');
  const slow = await stack.startApi(undefined, { createWaitMs: 500 });
  await sandbox?.fault({ operation: 'book', kind: 'hold' });

  const running = await eventually(
    () => clientOf(slow, stack.account, { maxTries: 20 }).createShipment(body, { key }),
    'an answer',
  );
  await sandbox?.fault({ operation: 'book', kind: 'none' });
  const done = await parcels.createShipment(body, { key });

  t.like(running, { isRunning: true, data: { status: { code: 'pending' }, tracking_code: null } });
  t.like(done, { isRunning: false, data: { uuid: running.data.uuid, status: { code: 'created' } } });
});

test('createShipment: a key is made when none is given, and every wrong field is named', async (t) => {
  const body = shipmentBody(stack.account, 'run', { ship_data: { contact_phone: undefined, type: 3 } });

  const refused = await t.throwsAsync<any>(parcels.createShipment(body));

  t.like(refused, { name: 'ApiError', code: 'validation_failed', status: 422, tries: 1 });
  t.deepEqual(Object.keys(refused.fields).sort(), ['ship_data.contact_phone', 'ship_data.type']);
  t.regex(refused.key, /^[0-9a-f-]{36}$/);
  t.regex(refused.requestId, /^[0-9a-f-]{36}$/);
  t.is(refused.raw.headers.get('x-request-id'), refused.requestId);
});
