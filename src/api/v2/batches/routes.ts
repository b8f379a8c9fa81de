import type { Static } from 'typebox';
import { findBatch } from '../../../db/queries/batches/batches.js';
import type { BatchRecord } from '../../../domain/batch.js';
import { notFound, validationError } from '../../../domain/errors.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { admitBatch, cancelBatch, createBatch, retryBatch } from '../../../services/batches/batches.js';
import type { HttpApp } from '../../http-app.js';
import { idempotencyOf, isKeyUsable } from '../../idempotency.js';
import { cursorRequest } from '../../pagination.js';
import { defineRoute, theLicense } from '../../route.js';
import { toUuid } from '../../uuid.js';
import { createExample, pageExample } from '../examples.js';
import { cursorPageOf, dataOf } from '../schemas.js';
import { readBatchBodyAside } from './body-reader.js';
import { batchExample, failedItemExample, itemExample, queuedExample } from './examples.js';
import { batchItemPage, batchPage } from './page.js';
import { presentBatch } from './presenter.js';
import {
  BatchItemSchema,
  BatchParams,
  BatchSchema,
  BatchWithItemsSchema,
  CreateBatchBody,
  CreateBatchQuery,
  ListBatchesQuery,
  ListBatchItemsQuery,
} from './schema.js';

const TAG = 'Batches';

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
    query: ListBatchesQuery,
    responses: {
      200: {
        description: 'A page of batches.',
        schema: cursorPageOf(BatchWithItemsSchema),
        example: pageExample('/batches', [{ ...batchExample, items: [itemExample, failedItemExample] }]),
      },
    },
    errors: [],
  },
  async (context) => {
    const { app, accountId, licenses, query } = context;
    const text = await batchPage(app, {
      accountId,
      licenseIds: licenses.map((license) => license.id),
      page: cursorRequest(context, { list: 'batches', filters: { license_key: query.license_key } }),
    });
    return { status: 200, text };
  },
);

const create = defineRoute(
  {
    method: 'post',
    path: '/batches',
    operationId: 'createBatch',
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
      readBatchBodyAside(bytes, {
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
    query: CreateBatchQuery,
    body: CreateBatchBody,
    bodyExample: { license_key: 'lic_main', shipments: [createExample] },
    responses: {
      202: {
        description: 'The batch is stored and will be processed.',
        schema: dataOf(BatchSchema),
        example: { data: queuedExample },
        headers: ['Location', 'Idempotent-Replayed'],
      },
    },
    errors: ['idempotency_key_conflict'],
  },
  async (context) => {
    const { app, accountId, body, query, request } = context;
    const items = itemsOf(body);
    const outcome = await createBatch(app, {
      accountId,
      license: theLicense(context),
      licenseNamed: namesLicense(body, query.license_key),
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
    path: '/batches/{uuid}',
    operationId: 'getBatch',
    tag: TAG,
    summary: 'Read a batch',
    description: 'The counts are live. Its items: `GET /batches/{uuid}/items`.',
    license: 'none',
    params: BatchParams,
    responses: {
      200: { description: 'The batch.', schema: dataOf(BatchSchema), example: { data: batchExample } },
    },
    errors: ['not_found'],
    errorMessages: { not_found: 'The requested batch was not found.' },
  },
  async ({ app, accountId, params }) => {
    const batch = await ownBatch(app, accountId, params.uuid);
    return { status: 200, json: { data: presentBatch(batch) } };
  },
);

const items = defineRoute(
  {
    method: 'get',
    path: '/batches/{uuid}/items',
    operationId: 'listBatchItems',
    tag: TAG,
    summary: "List a batch's items",
    description:
      'In the order in which they were submitted, each with its outcome. A page has fewer than `per_page` items ' +
      'when they exceed 2 MiB; continue with `meta.next_cursor`.',
    license: 'none',
    params: BatchParams,
    query: ListBatchItemsQuery,
    responses: {
      200: {
        description: 'A page of items.',
        schema: cursorPageOf(BatchItemSchema),
        example: pageExample(`/batches/${batchExample.id}/items`, [itemExample, failedItemExample]),
      },
    },
    errors: ['not_found'],
    errorMessages: { not_found: 'The requested batch was not found.' },
  },
  async (context) => {
    const { app, accountId, params, query } = context;
    const batch = await ownBatch(app, accountId, params.uuid);
    const status = query['filter[status]'];
    const page = cursorRequest(context, { list: 'batch-items', filters: { batch: batch.uuid, status } });
    const text = await batchItemPage(app, { accountId, batchId: batch.id, status, page });
    return { status: 200, text };
  },
);

const retry = defineRoute(
  {
    method: 'post',
    path: '/batches/{uuid}/retry',
    operationId: 'retryBatch',
    tag: TAG,
    summary: 'Try the failed items again',
    description:
      'Makes every failed item pending again, also those of a cancelled batch; created ones stay. An item that was ' +
      'too large stays failed. This reopens a completed batch: 429 when ' +
      `${LIMITS.batches.openOfAccount} are open already.`,
    license: 'none',
    bodyOptional: true,
    params: BatchParams,
    bodyExample: {},
    responses: {
      202: {
        description: 'The batch, with the items queued again as pending.',
        schema: dataOf(BatchSchema),
        example: { data: queuedExample },
      },
    },
    errors: ['not_found'],
    errorMessages: { not_found: 'The requested batch was not found.' },
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
    path: '/batches/{uuid}/cancel',
    operationId: 'cancelBatch',
    tag: TAG,
    summary: 'Stop a batch',
    description:
      'Items not yet started fail with `cancelled`; items in progress finish, and created shipments stay. ' +
      'Cancelling again, or a completed batch, does nothing.',
    license: 'none',
    bodyOptional: true,
    params: BatchParams,
    bodyExample: {},
    responses: {
      200: { description: 'The batch.', schema: dataOf(BatchSchema), example: { data: batchExample } },
    },
    errors: ['not_found'],
    errorMessages: { not_found: 'The requested batch was not found.' },
  },
  async ({ app, accountId, params }) => {
    const uuid = toUuid(params.uuid, 'batch');
    const batch = await cancelBatch(app, { accountId, uuid });
    return { status: 200, json: { data: presentBatch(batch) } };
  },
);

export const batchRoutes = [list, create, show, items, retry, cancel];

type Body = Static<typeof CreateBatchBody>;

/** A bare array names its license in the query. */
function namesLicense(body: Body, inQuery: string | undefined): boolean {
  return ('shipments' in body ? body.license_key : inQuery) != null;
}

function itemsOf(body: Body): readonly string[] {
  if ('shipments' in body) return body.shipments;
  const count = body.length;
  if (count < 1) throw validationError({ shipments: ['The shipments field must have at least 1 items.'] });
  if (count > LIMITS.batches.items) {
    const message = `The shipments field must not have more than ${LIMITS.batches.items} items.`;
    throw validationError({ shipments: [message] });
  }
  return body;
}

async function ownBatch(app: HttpApp, accountId: number, uuid: string): Promise<BatchRecord> {
  const batch = await findBatch(app.db, { accountId, uuid: toUuid(uuid, 'batch') });
  if (batch === null) throw notFound('batch');
  return batch;
}
