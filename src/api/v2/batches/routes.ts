import type { Static } from 'typebox';
import {
  itemsOfBatches,
  listBatchItemSizes,
  readBatchItems,
} from '../../../db/queries/batches/batch-items.js';
import { findBatch, listBatches } from '../../../db/queries/batches/batches.js';
import type { BatchRecord, SentItem } from '../../../domain/batch.js';
import { notFound, validationError } from '../../../domain/errors.js';
import { problemAt } from '../../../domain/problems/problem.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { admitBatch, cancelBatch, createBatch, retryBatch } from '../../../services/batches/batches.js';
import type { HttpApp } from '../../http-app.js';
import { idempotencyOf, isKeyUsable } from '../../idempotency.js';
import { fittingList } from '../../pagination.js';
import { defineRoute, theLicense, toUuid } from '../../route.js';
import { createExample } from '../examples.js';
import { answerOf, LicenseQuery, ListQuery, pageAnswerOf } from '../schemas.js';
import { batchExample, failedItemExample, itemExample, queuedExample } from './examples.js';
import { batchItemText, batchWithItemsText, presentBatch } from './presenter.js';
import {
  BatchItemSchema,
  BatchParams,
  BatchSchema,
  BatchWithItemsSchema,
  CreateBatchBody,
  ListBatchItemsQuery,
} from './schema.js';

const TAG = 'Batches';
/** Common to the routes of one batch. */
const ONE_BATCH = {
  tag: TAG,
  license: 'none',
  params: BatchParams,
  errors: ['not_found'],
  errorMessages: { not_found: 'The requested batch was not found.' },
} as const;

const list = defineRoute(
  {
    method: 'get',
    path: '/batches',
    operationId: 'listBatches',
    tag: TAG,
    summary: 'List batches with their items',
    description:
      'Newest first. Without `license_key` the list spans every usable license of the account. A page has fewer ' +
      'than `per_page` batches when they hold over 2000 items or 2 MiB; continue with `meta.next_cursor`.',
    license: 'many',
    query: ListQuery,
    responses: {
      200: pageAnswerOf('A page of batches.', BatchWithItemsSchema, '/batches', [
        { ...batchExample, items: [itemExample, failedItemExample] },
      ]),
    },
  },
  async (context) => {
    const { app, accountId, licenses, query } = context;
    const licenseIds = licenses.map((license) => license.id);
    const text = await fittingList(
      context,
      { list: 'batches', filters: { license_key: query.license_key } },
      async (page) => {
        const found = await listBatches(app.db, { accountId, licenseIds, ...page });
        return found.map((batch) => ({ ...batch, items: batch.summary.total, bytes: batch.payloadBytes }));
      },
      async (batches) => {
        const items = await itemsOfBatches(app.db, { accountId, batchIds: batches.map(({ id }) => id) });
        return batches.map((batch) => batchWithItemsText(batch, items.get(batch.id) ?? []));
      },
    );
    return { status: 200, text };
  },
);

const create = defineRoute(
  {
    method: 'post',
    path: '/batches',
    operationId: 'createBatch',
    audit: { action: 'batches.create', target: 'batch' },
    tag: TAG,
    summary: 'Create shipments in bulk',
    description:
      'Accepts 1 to 2000 items, up to 16 MiB. They are stored before the response and created in the background, ' +
      'each like a `POST /shipments` with the same checks and key, so equal items, and an item also sent alone, ' +
      'become one shipment. An invalid item fails alone; so does one with text that cannot be stored (NUL, half a ' +
      'surrogate pair). `Idempotency-Key` works as for shipments. Follow `Location`. ' +
      `An account can have ${LIMITS.batches.openOfAccount} batches with pending items; another one is 429. So is, at that limit, a ` +
      'repeated body above 128 KiB without `Idempotency-Key`. An account can store 1 GiB of batches per day (UTC), ' +
      'with 512 bytes counted per item beside its body; more is 429.',
    license: 'one',
    idempotent: true,
    bodyLimitBytes: LIMITS.batches.bodyBytes,
    readBody: (bytes, { app, accountId, headerValues, query: { license_key } }) =>
      app.readBatchBody(bytes, {
        accountId,
        licenseKeyInQuery: typeof license_key === 'string' ? license_key : undefined,
        admit: async () => {
          // The fingerprint is not known yet, so only the caller's own key can be stored. An invalid one is
          // refused after the body.
          const values = headerValues('idempotency-key');
          const sent = { fingerprint: '', headerValues: isKeyUsable(values) ? values : [] };
          await admitBatch(app, { accountId, idempotency: idempotencyOf(sent, app.config) });
        },
      }),
    query: LicenseQuery,
    body: CreateBatchBody,
    bodyExample: { license_key: 'lic_main', shipments: [createExample] },
    responses: {
      202: answerOf('The batch is stored and will be processed.', BatchSchema, queuedExample, {
        headers: ['Location', 'Idempotent-Replayed'],
      }),
    },
    errors: ['idempotency_key_conflict'],
  },
  async (context) => {
    const { app, accountId, body, request } = context;
    const items = itemsOf(body);
    const outcome = await createBatch(app, {
      accountId,
      license: theLicense(context),
      idempotency: idempotencyOf(
        {
          fingerprint: request.fingerprint,
          headerValues: request.headerValues('idempotency-key'),
        },
        app.config,
      ),
      items,
      answer: (batch) => ({ status: 202, body: JSON.stringify({ data: presentBatch(batch) }) }),
    });
    return {
      status: outcome.status,
      text: outcome.body,
      headers: {
        Location: `${app.config.baseUrl}/api/v2/batches/${outcome.batchUuid}`,
        ...(outcome.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
      },
    };
  },
);

const show = defineRoute(
  {
    method: 'get',
    ...ONE_BATCH,
    path: '/batches/{uuid}',
    operationId: 'getBatch',
    summary: 'Read a batch',
    description: 'The counts are live. Its items: `GET /batches/{uuid}/items`.',
    responses: { 200: answerOf('The batch.', BatchSchema, batchExample) },
  },
  async ({ app, accountId, params }) => {
    const batch = await ownBatch(app, accountId, params.uuid);
    return { status: 200, json: { data: presentBatch(batch) } };
  },
);

const items = defineRoute(
  {
    method: 'get',
    ...ONE_BATCH,
    path: '/batches/{uuid}/items',
    operationId: 'listBatchItems',
    summary: "List a batch's items",
    description:
      'In the order in which they were submitted, each with its outcome. A page has fewer than `per_page` items ' +
      'when they exceed 2 MiB; continue with `meta.next_cursor`.',
    query: ListBatchItemsQuery,
    responses: {
      200: pageAnswerOf('A page of items.', BatchItemSchema, `/batches/${batchExample.id}/items`, [
        itemExample,
        failedItemExample,
      ]),
    },
  },
  async (context) => {
    const { app, accountId, params, query } = context;
    const batch = await ownBatch(app, accountId, params.uuid);
    const status = query['filter[status]'];
    const which = { accountId, batchId: batch.id, status };
    const text = await fittingList(
      context,
      { list: 'batch-items', filters: { batch: batch.uuid, status } },
      (page) => listBatchItemSizes(app.db, { ...which, ...page }),
      async (items) => {
        const found = await readBatchItems(app.db, { ...which, ids: items.map(({ id }) => id) });
        return found.map(batchItemText);
      },
    );
    return { status: 200, text };
  },
);

const retry = defineRoute(
  {
    method: 'post',
    ...ONE_BATCH,
    path: '/batches/{uuid}/retry',
    operationId: 'retryBatch',
    audit: { action: 'batches.retry', target: 'batch' },
    summary: 'Try the failed items again',
    description:
      'Makes every failed item pending again, also those of a cancelled batch; created ones stay. An item that was ' +
      'too large stays failed. This reopens a completed batch: 429 when ' +
      `${LIMITS.batches.openOfAccount} are open already.`,
    bodyOptional: true,
    bodyExample: {},
    responses: {
      202: answerOf('The batch, with the items queued again as pending.', BatchSchema, queuedExample),
    },
  },
  async ({ app, accountId, params }) => {
    const uuid = toUuid(params.uuid, 'batch');
    const batch = await retryBatch(app, { accountId, uuid });
    return { status: 202, json: { data: presentBatch(batch) } };
  },
);

const cancel = defineRoute(
  {
    method: 'post',
    ...ONE_BATCH,
    path: '/batches/{uuid}/cancel',
    operationId: 'cancelBatch',
    repeatable: true,
    audit: { action: 'batches.cancel', target: 'batch' },
    summary: 'Stop a batch',
    description:
      'Items not yet started fail with `cancelled`; items in progress finish, and created shipments stay. ' +
      'Cancelling again, or a completed batch, does nothing.',
    bodyOptional: true,
    bodyExample: {},
    responses: { 200: answerOf('The batch.', BatchSchema, batchExample) },
  },
  async ({ app, accountId, params }) => {
    const uuid = toUuid(params.uuid, 'batch');
    const batch = await cancelBatch(app, { accountId, uuid });
    return { status: 200, json: { data: presentBatch(batch) } };
  },
);

export const batchRoutes = { list, create, show, items, retry, cancel };

function itemsOf(body: Static<typeof CreateBatchBody>): readonly SentItem[] {
  if ('shipments' in body) return body.shipments;
  const count = body.length;
  if (count < 1) throw validationError({ shipments: [problemAt('shipments', 'min_items', { limit: 1 })] });
  if (count > LIMITS.batches.items) {
    const tooMany = problemAt('shipments', 'max_items', { limit: LIMITS.batches.items });
    throw validationError({ shipments: [tooMany] });
  }
  return body;
}

async function ownBatch(app: HttpApp, accountId: number, uuid: string): Promise<BatchRecord> {
  const batch = await findBatch(app.db, { accountId, uuid: toUuid(uuid, 'batch') });
  if (batch === null) throw notFound('batch');
  return batch;
}
