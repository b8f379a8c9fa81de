import { randomUUID } from 'node:crypto';
import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { ApiClient } from '../support/api-client.js';
import { startStack, type TestStack } from '../support/stack.js';

let stack: TestStack;
let url: string;

test.before(async () => {
  stack = await startStack();
  await stack.startWorkers();
  url = await stack.startApi();
});
test.after.always(() => stack?.close());

/** A shipment that every carrier takes. */
function body(licenseKey: string | undefined) {
  return {
    license_key: licenseKey,
    ship_data: {
      type: 1,
      return: 1,
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      street: 'Dizengoff',
      number: '99',
      city: 'Tel Aviv',
    },
    order: { id: randomUUID(), total: '120.00', currency: 'ILS' },
  };
}

for (const { provider, cancel } of allCarriers()) {
  if (cancel === undefined) continue;
  test(`${provider}: a parcel is booked and cancelled through the API`, async (t) => {
    const api = new ApiClient(url, stack.account);

    const booked = await api.create(body(stack.account.licenseKeys[provider]), randomUUID());
    const cancelled = await api.post(`/shipments/${booked.body.data?.uuid}/cancel`, {});

    t.is(booked.status, 201, booked.text);
    t.is(cancelled.status, 200, cancelled.text);
    t.is(cancelled.body.data.status.code, 'cancelled');
    const ledger = await stack.sandboxes.get(provider)?.ledger();
    if (ledger === undefined) return;
    t.deepEqual(
      ledger.map(({ code, status }) => [code, status]),
      [[booked.body.data.tracking_code, 'cancelled']],
    );
  });
}
