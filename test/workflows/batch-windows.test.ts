import test from 'ava';
import { startSandbox } from '../../tools/doubles/carriers/server.js';
import { ApiClient, shipmentBody } from '../support/api-client.js';
import { insertCarrierLicense } from '../support/carrier-licenses.js';
import { eventually } from '../support/conditions.js';
import { startStack } from '../support/stack.js';

test("a batch of a license whose host hangs holds up nobody else's of the same carrier", async (t) => {
  const stack = await startStack({ env: { BATCH_WINDOW: '1' } });
  t.teardown(() => stack.close());
  const host = await startSandbox('run', {});
  t.teardown(() => host.close());
  const other = await insertCarrierLicense(stack, {
    accountId: stack.account.id,
    provider: 'run',
    baseUrl: host.url,
  });
  const api = new ApiClient(await stack.startApi(), stack.account);
  await stack.startWorkers();
  await stack.sandbox.fault({ operation: 'book', kind: 'hold' });
  const send = async (count: number, license_key: string | undefined): Promise<string> => {
    const shipments = Array.from({ length: count }, () => ({
      ...shipmentBody(stack.account, 'run'),
      license_key,
    }));
    return (await api.post('/batches', { license_key, shipments })).body.data.id;
  };
  const summaryOf = async (id: string) => (await api.get(`/batches/${id}`)).body.data.summary;
  const hanging = await send(10, stack.account.licenseKeys.run);
  await eventually(async () => {
    const rows = await stack.db.select(`SELECT id FROM carrier_attempts WHERE state = 'sending'`);
    return rows.length > 0;
  }, 'the first booking to hang');

  const healthy = await send(2, other.key);
  await eventually(async () => (await summaryOf(healthy)).created === 2, 'the other batch');

  t.is((await summaryOf(hanging)).pending, 10);
});
