import { randomUUID } from 'node:crypto';
import { scheduleIds, taskQueues } from '../../src/contracts/ids.js';
import type { Workflows } from '../../src/contracts/workflows.js';
import { listLabelSources } from '../../src/db/queries/labels/label-sources.js';
import { composeLabels, type LabelDocument } from '../../src/documents/labels/document.js';
import { DEFAULT_LABEL_OPTIONS } from '../../src/domain/labels.js';
import { Slots } from '../../src/lib/limits/slots.js';
import { LIMITS } from '../../src/lib/limits/values.js';
import { eventually } from './conditions.js';
import { type HttpAnswer, send } from './http-send.js';
import { startStack, type TestStack } from './stack.js';

/** The ways to create a shipment. */
export const WAYS = ['v2', 'batch', 'v1'] as const;
export type Way = (typeof WAYS)[number];

/** Carriers that collect parcels from recipients. */
export const COLLECTING: ReadonlySet<string> = new Set([
  'independent',
  'run',
  'lionwheel',
  'cargo',
  'getpackage',
]);

/** Data of a shipment at the carrier and on the label. */
export interface SentShipment {
  answer: HttpAnswer;
  /** The sandbox's ledger entry by argument or field; empty without shipment or sandbox. */
  carrier: Record<string, unknown>;
  /** Null without shipment. */
  label: LabelDocument | null;
}

/** A stack with workers and API; collections go to a shop in Haifa. */
export async function startWays(): Promise<{ stack: TestStack; url: string }> {
  const stack = await startStack();
  await stack.startWorkers();
  await startSweep(stack);
  const url = await stack.startApi();
  await stack.db.run("UPDATE license_settings SET collect_city = 'חיפה', collect_street = 'הנמל'");
  return { stack, url };
}

/** Starts batches whose wake a busy engine has missed, as the Schedule does in production. */
async function startSweep({ temporal }: TestStack): Promise<void> {
  await temporal.workflow.start<Workflows['resumeBatches']>('resumeBatches', {
    workflowId: scheduleIds.resumeBatches,
    taskQueue: taskQueues.shipments,
    args: [{ everySeconds: 10 }],
  });
}

/** Creates a shipment to Haifa in one of the ways; the given parts replace its fields. */
export async function createVia(
  stack: TestStack,
  url: string,
  parts: { way: Way; provider: string; ship_data?: object; order?: object },
): Promise<SentShipment> {
  const id = randomUUID();
  const { way, provider } = parts;
  const ship = {
    contact_name: 'דנה',
    contact_phone: '0501234567',
    street: 'הרצל',
    number: '1',
    city: 'חיפה',
  };
  const body = {
    license_key: stack.account.licenseKeys[provider],
    ship_data: { ...ship, type: 1, return: 1, ...parts.ship_data },
    order: { id, ...parts.order },
  };
  const answer = await ASK[way](stack, url, body);
  const [row] = await stack.db.select(
    `SELECT s.id, s.account_id, s.tracking_code FROM shipments s JOIN orders o ON o.id = s.order_id
     WHERE o.order_id = ? AND s.state = 'created'`,
    [id],
  );
  if (row === undefined) return { answer, carrier: {}, label: null };
  const ledger = (await stack.sandboxes.get(provider)?.ledger()) ?? [];
  const carrier = ledger.find(({ code }) => code === row.tracking_code)?.request ?? {};
  const sources = await listLabelSources(stack.db, {
    accountId: Number(row.account_id),
    ids: [Number(row.id)],
  });
  const label = await composeLabels(
    sources,
    { ...DEFAULT_LABEL_OPTIONS, labelType: 'thermal' },
    { baseUrl: url },
  );
  return { answer, carrier, label };
}

/** All texts in a value at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

type Ask = (stack: TestStack, url: string, body: { license_key?: string | undefined }) => Promise<HttpAnswer>;

const v2 = async (stack: TestStack, url: string, method: string, json?: object) => {
  const { clientId, clientSecret } = stack.account;
  const headers = { accept: 'application/json', 'x-client-id': clientId, 'x-client-secret': clientSecret };
  return await send(url, method, { headers, ...(json === undefined ? {} : { json }) });
};

const ASK: Readonly<Record<Way, Ask>> = {
  v1: (_, url, body) =>
    send(`${url}/api/shipping/open_new_order`, 'POST', {
      json: { domain: 'shop.test', ...body },
      headers: { accept: 'application/json' },
    }),
  v2: (stack, url, body) => v2(stack, `${url}/api/v2/shipments`, 'POST', body),
  batch: (stack, url, body) => batches.use(() => batch(stack, url, body)),
};

/** A run that meets unfinished creations looks again after 2, 10 and 60 seconds. */
const BATCH_ENDS_MS = 180_000;

/** As many as a worker works on for one account: one more comes again later, and later each time. */
const batches = new Slots({ total: LIMITS.batches.ofAccountAtOnce });

const batch: Ask = async (stack, url, body) => {
  const { license_key } = body;
  const made = await v2(stack, `${url}/api/v2/batches`, 'POST', { license_key, shipments: [body] });
  return await eventually(
    async () => {
      const items = await v2(stack, `${url}/api/v2/batches/${made.body.data.id}/items`, 'GET');
      const [item] = items.body.data;
      return item.status === 'pending' ? undefined : { ...items, body: item };
    },
    'the outcome of an item',
    BATCH_ENDS_MS,
  );
};
