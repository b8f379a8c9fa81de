import { createServer } from 'node:http';
import test from 'ava';
import { cargo } from '../../src/carriers/cargo/index.js';
import { getpackage } from '../../src/carriers/getpackage/index.js';
import { lionwheel } from '../../src/carriers/lionwheel/index.js';
import { nowIso } from '../../src/lib/time.js';
import { listen } from '../support/local-server.js';
import { cargoAccount, context, getpackageAccount, lionwheelAccount } from './support.js';

const CARRIERS = [
  { adapter: lionwheel, accountAt: lionwheelAccount, reply: { task: { id: 77, status: 'ACTIVE' } } },
  { adapter: cargo, accountAt: cargoAccount, reply: { data: { shipment_id: '77', status_code: '2' } } },
  { adapter: getpackage, accountAt: getpackageAccount, reply: { status: 'IN_ROUTE' } },
];

for (const { adapter, accountAt, reply } of CARRIERS) {
  test(`${adapter.provider}: a status without a time gets the request's, not the answer's`, async (t) => {
    let arrivedAt = '';
    const server = createServer((_request, response) => {
      arrivedAt = nowIso();
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
    });
    const { url, close } = await listen(server);
    t.teardown(close);
    const parcel = { reference: 'ours', trackingCode: '77', carrierReference: '77' };

    const outcome = await adapter.status?.fetch([parcel], context(accountAt(url)));

    const [status] = outcome?.kind === 'accepted' ? outcome.value : [];
    const occurredAt = status?.events[0]?.occurredAt ?? '';
    t.true(occurredAt !== '' && occurredAt <= arrivedAt, `${occurredAt} ${arrivedAt}`);
  });
}
