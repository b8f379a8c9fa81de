import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import test from 'ava';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { recordEvents } from '../../src/db/queries/webhooks/events.js';
import { eventsOfChange, PING_EVENT, REFUSED_EVENT, WEBHOOK_EVENTS } from '../../src/domain/events.js';
import { nowIso } from '../../src/lib/time.js';
import { startHttp } from '../support/http.js';
import { startReceiver } from '../support/receiver.js';

const ajv = new Ajv();
addFormats.default(ajv);

/** Faults of a payload by the published schema, of which no field may be left out or added. */
function problemsOf(payload: { event: string }): string {
  const schema = structuredClone(SENT_EVENTS.events.find(({ event }) => event === payload.event)?.schema);
  if (schema === undefined) return `${payload.event} is not published`;
  const closed = { ...schema, additionalProperties: false };
  Object.assign(closed.properties.data as object, { additionalProperties: false });
  return ajv.validate(closed, payload) ? '' : ajv.errorsText();
}

test('webhooks: each event is sent as its schema has it, and each example is of its schema', async (t) => {
  const [http, receiver] = await Promise.all([
    startHttp({ config: { webhookAllowCidrs: ['127.0.0.0/8'] } }),
    startReceiver(),
  ]);
  t.teardown(() => Promise.all([http.close(), receiver.close()]));
  const owner = await http.account();
  const license = await http.license(owner.id);
  const { uuid } = await http.shipment(owner.id, license, {});
  const [shipment] = await http.db.select('SELECT id FROM shipments WHERE uuid = ?', [uuid]);
  const json = { url: receiver.url, events: WEBHOOK_EVENTS };
  const { body } = await http.send('POST', '/webhooks', { as: owner, json });
  const events = [
    { event: 'shipment.created', fields: {} } as const,
    ...eventsOfChange('in_transit', { code: 'delivered', at: nowIso() }),
    ...eventsOfChange('created', { code: 'cancelled', at: nowIso() }),
    { event: REFUSED_EVENT, fields: { code: 'given_up', message: 'Ordered twice.' } } as const,
  ];

  const args = { accountId: owner.id, licenseId: license.id, shipmentId: Number(shipment?.id), events };
  await http.db.transaction((tx) => recordEvents(tx, args));
  await http.send('POST', `/webhooks/${body.data.id}/ping`, { as: owner, json: {} });
  const rows = await http.db.select('SELECT payload FROM webhook_deliveries');

  const payloads = rows.map((row) => JSON.parse(String(row.payload)));
  t.deepEqual(
    [...new Set(payloads.map(({ event }) => event))].sort(),
    [...WEBHOOK_EVENTS, PING_EVENT].sort(),
  );
  for (const payload of payloads) t.is(problemsOf(payload), '');
  for (const { event, schema, example } of SENT_EVENTS.events) t.true(ajv.validate(schema, example), event);
  const [ping] = receiver.requests;
  for (const name of Object.keys(SENT_EVENTS.headers)) t.truthy(ping?.headers[name.toLowerCase()], name);
});
