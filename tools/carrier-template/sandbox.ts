import { Type } from 'typebox';
import type { JsonObject } from '../../src/domain/shipment.js';
import { jsonOf, textAt } from '../../src/lib/json.js';
import { compileOnUse } from '../../src/lib/schema.js';
import type { Operation } from '../doubles/carriers/faults.js';
import { jsonReply } from '../doubles/carriers/json.js';
import type { Parcel } from '../doubles/carriers/ledger.js';
import type {
  SandboxCall,
  SandboxProtocol,
  SandboxReply,
  SandboxRequest,
} from '../doubles/carriers/protocol.js';
import { currentStatus, type SandboxStatuses, statusesOf, statusOf } from '../doubles/carriers/statuses.js';
import { ACME_STATUSES } from './mapping.js';

const ROOT = '/v1/parcels';
const PARCEL = /^\/v1\/parcels\/([^/]+)(\/cancel)?$/;

const Text = Type.String({ minLength: 1 });
const strict = { additionalProperties: false };
const shop = { name: Type.Optional(Text), city: Text, street: Text, number: Type.Optional(Text) };
const Place = Type.Object({ ...shop, phone: Type.Optional(Text) }, strict);

/** The carrier's exact fields: an adapter that sends more or less is refused. */
const bookingCheck = compileOnUse<JsonObject>(
  Type.Object(
    {
      reference: Text,
      packages: Type.Integer({ minimum: 1 }),
      day: Type.String({ format: 'date' }),
      from: Place,
      to: Place,
      order: Type.Optional(Text),
      note: Type.Optional(Text),
    },
    strict,
  ),
);

/** Every status of the carrier, with the text that it sends. */
const statuses: SandboxStatuses = {
  known: statusesOf(ACME_STATUSES, { OUT_FOR_DELIVERY: 'The courier is on the way' }),
  others: { pattern: /^[A-Z][A-Z_]{1,39}$/, description: 'any other word in capitals' },
};

function pathOf(target: string): string {
  return target.split('?')[0] ?? '';
}

function operationOf({ method, target }: Pick<SandboxRequest, 'method' | 'target'>): Operation | undefined {
  const path = pathOf(target);
  if (path === ROOT) return method === 'POST' ? 'book' : method === 'GET' ? 'find' : undefined;
  const [, code, isCancel] = PARCEL.exec(path) ?? [];
  if (code === undefined) return undefined;
  if (isCancel !== undefined) return method === 'POST' ? 'cancel' : undefined;
  return method === 'GET' ? 'status' : undefined;
}

function answer(operation: Operation, call: SandboxCall): SandboxReply {
  if (operation === 'book') return book(call);
  if (operation === 'find') return find(call);
  const code = decodeURIComponent(PARCEL.exec(pathOf(call.target))?.[1] ?? '');
  const parcel = call.ledger.byCode(code);
  if (parcel === undefined) return refusal(404, 'not_found', 'No such parcel.');
  return operation === 'cancel' ? cancel(parcel, call) : jsonReply(200, present(parcel));
}

function book({ body, ledger, config, nowMs }: SandboxCall): SandboxReply {
  const request = jsonOf(Buffer.from(body));
  if (!bookingCheck()(request)) {
    const wrong = (bookingCheck().errors ?? []).map(
      ({ instancePath, message }) => `${instancePath} ${message}`,
    );
    return refusal(422, 'invalid', wrong.join('; '));
  }
  const reference = textAt(request, 'reference');
  const earlier = ledger.byReference(reference);
  if (earlier !== undefined) {
    earlier.requests += 1;
    ledger.save(earlier);
    if (config.rejectDuplicates) return refusal(409, 'duplicate', 'The reference was used before.');
  }
  return jsonReply(201, present(ledger.book(reference, '', nowMs, request)));
}

function find({ target, ledger }: SandboxCall): SandboxReply {
  const reference = new URLSearchParams(target.split('?')[1]).get('reference');
  const parcels = ledger.parcels.filter((parcel) => parcel.reference === reference);
  return jsonReply(200, { parcels: parcels.map(present) });
}

function cancel(parcel: Parcel, { ledger }: SandboxCall): SandboxReply {
  const { word } = currentStatus(statuses, parcel);
  if (word !== 'BOOKED') return refusal(409, 'too_late', `The parcel is ${word}.`);
  parcel.cancelled = true;
  ledger.save(parcel);
  return jsonReply(200, present(parcel));
}

function present(parcel: Parcel): object {
  const events = parcel.events.map((event) => {
    const { word, text } = statusOf(statuses, event);
    return { status: word, at: new Date(event.atMs).toISOString(), text: text || `Parcel ${word}` };
  });
  const { word: status } = currentStatus(statuses, parcel);
  return { code: parcel.code, reference: parcel.reference, status, events };
}

function refusal(status: number, code: string, message: string): SandboxReply {
  return jsonReply(status, { error: { code, message } });
}

/** Acme's API, strict about fields. Replace it by the documented behavior of the real protocol. */
export const acmeProtocol: SandboxProtocol = {
  operationOf,
  isAuthorized: ({ headers }, token) => headers.authorization === `Bearer ${token}`,
  answer,
  refuse: (_, carrierCode) => refusal(200, String(carrierCode), 'Refused.'),
  statuses,
};
