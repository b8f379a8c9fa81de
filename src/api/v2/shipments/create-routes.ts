import { Type } from 'typebox';
import type { LicenseSummary } from '../../../db/queries/accounts/accounts.js';
import { MAX_FIELDS, validationError } from '../../../domain/errors.js';
import { problemAt } from '../../../domain/problems/problem.js';
import { duplicateOrderMessage, keyConflictMessage } from '../../../domain/shipment.js';
import { createShipment, newCreation } from '../../../services/creation/create-shipment.js';
import { type DryRun, dryRun as runDry, type Warning } from '../../../services/creation/dry-run.js';
import { type CheckedRequest, type Context, defineRoute, theLicense } from '../../route.js';
import { unknownFields } from '../../unknown-fields.js';
import { shownPath } from '../../validation.js';
import { createExample, shipmentExample } from '../examples.js';
import { answerOf } from '../schemas.js';
import { creationKey, toCommand } from './command.js';
import { CreateShipmentBody, type CreateShipmentRequest } from './create-schema.js';
import { DryRunSchema, dryRunExample, presentDryRun } from './dry-run.js';
import { createdAnswer } from './presenter.js';
import { ShipmentSchema } from './schema.js';
import { readSentBody } from './sent-body.js';

type CreationContext = Context<object, object, CreateShipmentRequest>;

const PENDING_RETRY_AFTER_SECONDS = '5';

/** Common to a creation and its dry run: the same body is read, checked and refused alike. */
const CREATION = {
  method: 'post',
  path: '/shipments',
  tag: 'Shipments',
  license: 'one',
  body: CreateShipmentBody,
  readTexts: readSentBody,
  bodyExample: createExample,
} as const;

const CREATED = {
  201: answerOf('The carrier accepted the parcel.', ShipmentSchema, shipmentExample, {
    headers: ['Location', 'Idempotent-Replayed'],
  }),
  202: answerOf(
    'The carrier has not answered yet; the creation continues.',
    ShipmentSchema,
    {
      ...shipmentExample,
      tracking_code: null,
      status: { code: 'pending', description: 'Pending', is_delivered: false },
    },
    { headers: ['Location', 'Retry-After'] },
  ),
};

const WOULD_CREATE = answerOf('What would be sent. Nothing was.', DryRunSchema, dryRunExample);

const CREATE = {
  ...CREATION,
  operationId: 'createShipment',
  audit: { action: 'shipments.create', target: 'shipment' },
  summary: 'Create a shipment',
  description:
    "Books a parcel with the license's carrier, at most once per key. The key is the `Idempotency-Key` header, or " +
    'the body itself. The same key and body return the first response again, with `Idempotent-Replayed: true`; a ' +
    'refusal is not stored. When the carrier takes long, the response is 202 and the creation continues: follow ' +
    '`Location`, or subscribe to `shipment.created` and `shipment.refused`.',
  idempotent: true,
  errors: ['duplicate_request', 'idempotency_key_conflict', 'carrier_rejected'],
  errorMessages: {
    duplicate_request: duplicateOrderMessage(shipmentExample.uuid),
    idempotency_key_conflict: keyConflictMessage(shipmentExample.uuid),
  },
} as const;

/** Books a parcel. */
export const createOperation = defineRoute({ ...CREATE, responses: CREATED }, create);

async function create(context: CreationContext) {
  const { app, accountId, body, request } = context;
  const license = theLicense(context);
  const command = toCommand(body, license);
  const idempotency = creationKey(request.body, request.headerValues('idempotency-key'), app.config);
  const creation = newCreation(license, { accountId, idempotency, ...command });
  const outcome = await request.whileWaiting(() =>
    createShipment(app, { creation, order: command.order, merchant: license.merchant }),
  );
  request.onShipment(outcome);
  const at = (uuid: string) => ({ Location: `${app.config.baseUrl}/api/v2/shipments/${uuid}` });
  if (outcome.kind === 'pending') {
    return {
      status: 202,
      text: createdAnswer(outcome.shipment),
      headers: { ...at(outcome.shipment.uuid), 'Retry-After': PENDING_RETRY_AFTER_SECONDS },
    };
  }
  return {
    status: outcome.status,
    text: outcome.body,
    headers: {
      ...at(outcome.shipmentUuid),
      ...(outcome.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    },
  };
}

const DryRunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({
      description:
        'true: say what would be sent and book nothing. The answer is 200, that of `POST /shipments/dry-run`.',
    }),
  ),
});

/** Says what {@link createOperation} would do. It changes nothing, so it has no act in the audit. */
export const dryRunOperation = defineRoute(
  {
    ...CREATION,
    path: '/shipments/dry-run',
    operationId: 'dryRunShipment',
    repeatable: true,
    summary: 'Say what a creation would do',
    description:
      'Validates as the creation does, by license and carrier, and says what would be sent. Takes no key, books ' +
      'nothing and keeps nothing. `POST /shipments?dry_run=true` is the same.',
    responses: { 200: WOULD_CREATE },
    errors: ['duplicate_request', 'carrier_rejected'],
  },
  wouldCreate,
);

async function wouldCreate(context: CreationContext) {
  const license = theLicense(context);
  const dry = await dryRunOf(context, license);
  const warnings = [...dry.warnings, ...ineffective(context.request)];
  return { status: 200, json: { data: presentDryRun({ ...dry, warnings }, license.carrier) } };
}

/** Names that were sent and would be dropped, such as a misspelt field. */
function ineffective({ body, query }: Pick<CheckedRequest, 'body' | 'query'>): Warning[] {
  const warn = (rule: 'unknown_field' | 'unknown_parameter') => (path: readonly (string | number)[]) => {
    const field = shownPath(path);
    return { code: 'unknown_field' as const, field, problem: problemAt(field, rule) };
  };
  return [
    ...unknownFields(CreateShipmentBody, body).map(warn('unknown_field')),
    ...unknownFields(DryRunQuery, query).map(warn('unknown_parameter')),
  ].slice(0, MAX_FIELDS);
}

/** The dry run of a request. */
async function dryRunOf(
  { app, accountId, body, request }: CreationContext,
  license: LicenseSummary,
): Promise<DryRun> {
  const command = toCommand(body, license);
  // A creation has one; nothing is looked up by it here.
  const idempotency = creationKey(request.body, [], app.config);
  const creation = newCreation(license, { accountId, idempotency, ...command });
  return await runDry(app, { creation, order: command.order });
}

/** Both at one address, as mounted and published. */
export const createOrDryRun = defineRoute(
  {
    ...CREATE,
    query: DryRunQuery,
    responses: { 200: { ...WOULD_CREATE, isUnpublished: true }, ...CREATED },
  },
  async (context) => {
    refuseMisspelt(context.request.query);
    return context.query.dry_run === true ? await wouldCreate(context) : await create(context);
  },
);

/** Elsewhere unknown and empty parameters are ignored. Here that would book a parcel that was not meant. */
function refuseMisspelt(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    const isMeant = name.toLowerCase().replaceAll(/[^a-z]/g, '') === 'dryrun';
    if (isMeant && (name !== 'dry_run' || value === '')) {
      throw validationError({ dry_run: [problemAt('dry_run', 'type', { type: 'boolean' })] });
    }
  }
}
