import { type Static, Type } from 'typebox';
import { BATCH_ITEM_STATUSES, type BatchItemStatus, type SentItem } from '../../../domain/batch.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { PUBLISHED } from '../../openapi-schema.js';
import { closedObject, stamps } from '../../schemas.js';
import { cursorQuery, pathUuid } from '../schemas.js';
import { CreateShipmentBody } from '../shipments/create-schema.js';

const itemStatus = (description: string) =>
  Type.Unsafe<BatchItemStatus>({ type: 'string', enum: [...BATCH_ITEM_STATUSES], description });

const ItemError = closedObject('BatchItemError', 'Why an item failed.', {
  code: Type.String({
    description:
      'A code of `POST /shipments` (`forbidden`, `validation_failed`, `carrier_rejected`, `duplicate_request`, ' +
      '`payload_too_large`, `internal_error`), or `cancelled`.',
  }),
  message: Type.String({ description: 'The reason in words.' }),
  fields: Type.Optional(
    Type.Unsafe<Record<string, string[]>>({
      type: 'object',
      description: 'With `validation_failed`: JSON path inside the item to its messages.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    }),
  ),
});

export const BatchItemSchema = closedObject('BatchItem', 'One creation of a batch.', {
  id: Type.Integer({ description: 'Id of the item.' }),
  position: Type.Integer({ minimum: 0, description: 'Place in the submitted array, from 0.' }),
  status: itemStatus(
    '`pending`: no outcome yet. `created`: there is a shipment. `failed`: `error` says why.',
  ),
  shipment_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    description: 'The uuid of the shipment; set when `created`.',
  }),
  payload: Type.Unknown({ description: 'The item as submitted; null when it was over 1 MiB.' }),
  error: Type.Union([ItemError, Type.Null()], { description: 'Why it failed, else null.' }),
  ...stamps,
});
export type BatchItem = Static<typeof BatchItemSchema>;

const batchFields = {
  id: Type.String({ format: 'uuid', description: 'Id of the batch.' }),
  status: Type.Enum(['queued', 'processing', 'completed'], {
    description: '`queued`: no item has its outcome; `processing`: some have; `completed`: all have.',
  }),
  summary: closedObject('BatchSummary', 'Number of items by status.', {
    total: Type.Integer({ description: 'All items.' }),
    created: Type.Integer({ description: 'Items with a shipment.' }),
    failed: Type.Integer({ description: 'Items that failed.' }),
    pending: Type.Integer({ description: 'Items without an outcome yet.' }),
  }),
};

export const BatchSchema = closedObject('Batch', 'Creations in bulk.', { ...batchFields, ...stamps });
export type Batch = Static<typeof BatchSchema>;

export const BatchWithItemsSchema = closedObject('BatchWithItems', 'Creations in bulk, with their items.', {
  ...batchFields,
  items: Type.Array(BatchItemSchema, { description: 'In their order.' }),
  ...stamps,
});

/** Any value, so that one wrong item does not refuse the batch; published as what can be created. */
const ITEM = { [PUBLISHED]: CreateShipmentBody };

/**
 * An object or a bare array; each branch ignores the other kind, so that errors name their field. Items may be
 * any value; `readBatchBody` has turned each into its text and fingerprint.
 */
export const CreateBatchBody = Type.Unsafe<
  { shipments: SentItem[]; license_key?: string | null } | SentItem[]
>({
  title: 'CreateBatch',
  description:
    'Either an object with `shipments`, or the bare array of items; then `license_key` comes in the query.',
  type: ['object', 'array'],
  required: ['shipments'],
  properties: {
    shipments: {
      type: 'array',
      minItems: 1,
      maxItems: LIMITS.batches.items,
      description: 'Bodies of `POST /shipments`. Each is validated when it is processed.',
      items: ITEM,
    },
    license_key: {
      type: ['string', 'null'],
      maxLength: 255,
      description: 'License of the items that name none.',
    },
  },
  items: ITEM,
  [PUBLISHED]: { minItems: 1, maxItems: LIMITS.batches.items },
});

export const ListBatchItemsQuery = Type.Object({
  'filter[status]': Type.Optional(itemStatus('Only items in this status.')),
  ...cursorQuery,
});

export const BatchParams = Type.Object({
  uuid: pathUuid('The id of the batch.', '019aa5a6-9b1c-7f2a-8e10-5d0c6b7a8f90'),
});
