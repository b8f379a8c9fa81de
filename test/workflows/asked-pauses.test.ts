import test from 'ava';
import type { CarrierAdapter, Outcome } from '../../src/carriers/contract.js';
import { type ApiClient, shipmentBody, startApiStack } from '../support/api-client.js';
import { carrierDouble } from '../support/carrier-double.js';
import { type TestStack } from '../support/stack.js';

/** As of a `Retry-After` whose time has come, by a clock that is behind ours. */
const BUSY: Outcome<never> = { kind: 'throttled', retryAfterMs: 0, text: 'busy' };

const double = carrierDouble('no-pause');
const hasty = { ...carrierDouble('hasty'), heard: () => {} };
const hastyAdapter: CarrierAdapter = {
  ...hasty.adapter,
  book(request, context) {
    hasty.heard();
    return hasty.adapter.book(request, context);
  },
};
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
  ({ stack, api } = await startApiStack({ doubles: [adapter, hastyAdapter] }));
});
test.after.always(() => stack?.close());

test('POST /shipments: a carrier that is busy and asks for no pause is asked again', async (t) => {
  double.next.push(BUSY, BUSY);

  const created = await api.create(shipmentBody(stack.account, 'no-pause'));

  t.is(created.status, 201, created.text);
  t.is(double.told.length, 3);
});

test('POST /shipments: a carrier that stays busy is asked less and less often, however short its pauses', async (t) => {
  const calls: number[] = [];
  const busy: Outcome<never>[] = Array.from({ length: 4 }, () => ({ ...BUSY, retryAfterMs: 1 }));
  hasty.next.push(...busy);
  hasty.heard = () => {
    calls.push(performance.now());
  };

  const created = await api.create(shipmentBody(stack.account, 'hasty'));

  const pauses = calls.slice(1).map((at, index) => at - (calls[index] ?? 0));
  t.is(created.status, 201, created.text);
  t.is(pauses.length, 4);
  for (const [index, least] of [500, 1000, 2000, 4000].entries()) {
    t.true((pauses[index] ?? 0) >= least, pauses.join(', '));
  }
});

test('GET /pickup-points: a carrier that is busy and asks for no pause is asked again', async (t) => {
  const listed = await api.get(`/pickup-points?license_key=${stack.account.licenseKeys['no-pause']}`);

  t.is(listed.status, 200, listed.text);
  t.is(pointsAsked, 2);
});
