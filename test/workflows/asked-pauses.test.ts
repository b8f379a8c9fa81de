import test from 'ava';
import type { CarrierAdapter, Outcome } from '../../src/carriers/contract.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { startStack, type TestStack } from '../support/stack.js';

/** As of a `Retry-After` whose time has come, by a clock that is behind ours. */
const BUSY: Outcome<never> = { kind: 'throttled', retryAfterMs: 0, text: 'busy' };

const double = carrierDouble('no-pause');
let pointsAsked = 0;
const adapter: CarrierAdapter = {
  ...double.adapter,
  async pickupPoints() {
    pointsAsked += 1;
    return pointsAsked === 1 ? BUSY : { kind: 'accepted', value: [POINT] };
  },
};
const POINT = {
  id: '1',
  name: 'Kiosk',
  city: 'Haifa',
  street: 'Herzl',
  number: '1',
  streetCode: '',
  latitude: '',
  longitude: '',
  remarks: '',
};
let stack: TestStack;
let api: ApiClient;

test.before(async () => {
  stack = await startStack({ doubles: [adapter] });
  await stack.startWorkers();
  api = new ApiClient(await stack.startApi(), stack.account);
});
test.after.always(() => stack?.close());

test('POST /shipments: a carrier that is busy and asks for no pause is asked again', async (t) => {
  double.next.push(BUSY, BUSY);

  const created = await api.create(shipmentBody(stack.account, 'no-pause'));

  t.is(created.status, 201, created.text);
  t.is(double.told.length, 3);
});

test('GET /pickup-points: a carrier that is busy and asks for no pause is asked again', async (t) => {
  const listed = await api.get(`/pickup-points?license_key=${stack.account.licenseKeys['no-pause']}`);

  t.is(listed.status, 200, listed.text);
  t.is(pointsAsked, 2);
});
