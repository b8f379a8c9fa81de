import { Type } from 'typebox';
import { PACKAGE_SIZES } from '../../../src/carriers/contract.js';
import { GETPACKAGE_STATUSES } from '../../../src/carriers/getpackage/replies.js';
import type { JsonObject } from '../../../src/domain/shipment.js';
import { jsonOf, textAt } from '../../../src/lib/json.js';
import { compileOnUse } from '../../../src/lib/schema.js';
import type { Operation } from './faults.js';
import { jsonReply } from './json.js';
import type { Parcel } from './ledger.js';
import type { SandboxCall, SandboxProtocol, SandboxReply, SandboxRequest } from './protocol.js';
import { currentStatus, type SandboxStatuses, statusesOf } from './statuses.js';

const ROOT = '/v1/deliveries/';
const DELIVERY = /^common\/deliveries\/([^/]+)$/;

const Word = Type.String({ minLength: 2 });
const strict = { additionalProperties: false };
const address = Type.Object({ country: Type.Literal('IL'), city: Word, street: Word }, strict);
const size = Type.Union(PACKAGE_SIZES.map((name) => Type.Literal(name)));
const contact = {
  address,
  contactName: Type.Optional(Word),
  contactPhoneNumber: Type.Optional(Type.String({ minLength: 8 })),
  instructions: Type.Optional(Word),
};

const quoteCheck = compileOnUse<JsonObject>(
  Type.Object(
    {
      pickUpPoint: Type.Object({ address }, strict),
      dropOffPoint: Type.Object({ address }, strict),
      package: Type.Object({ size }, strict),
    },
    strict,
  ),
);
const bookingCheck = compileOnUse<JsonObject>(
  Type.Object(
    {
      pickUpPoint: Type.Object(contact, strict),
      dropOffPoint: Type.Object({ ...contact, validationMethodType: Type.Literal('SMS') }, strict),
      package: Type.Object({ size, packageId: Type.Optional(Word) }, strict),
      date: Type.String({ format: 'date' }),
      timeRange: Type.String({ pattern: '^\\d\\d:\\d\\d-\\d\\d:\\d\\d$' }),
    },
    strict,
  ),
);

/** The carrier sends only words; the license defines `IN_ROUTE`. */
const statuses: SandboxStatuses = {
  known: statusesOf(GETPACKAGE_STATUSES),
  others: { pattern: /^[A-Z][A-Z_]{1,39}$/, description: 'IN_ROUTE, or any other word in capitals' },
};

const SETTLEMENTS = [
  { id: 1, internalName: 'Tel Aviv-Yafo', localName: 'תל אביב-יפו' },
  { id: 2, internalName: 'Ramat Gan', localName: 'רמת גן' },
  { id: 3, internalName: 'Holon', localName: 'חולון' },
];

function operationOf({ method, target }: Pick<SandboxRequest, 'method' | 'target'>): Operation | undefined {
  const [path = ''] = target.split('?');
  if (!path.startsWith(ROOT)) return undefined;
  const route = `${method} ${path.slice(ROOT.length)}`;
  if (route === 'POST sharedRoute') return 'book';
  if (route === 'POST sharedRoute/quote') return 'quote';
  if (route === 'POST serviceTimes/evaluate') return 'slots';
  if (/^GET businessCompanies\/settlements\/?$/.test(route)) return 'region';
  if (!DELIVERY.test(path.slice(ROOT.length))) return undefined;
  if (method === 'GET') return 'status';
  return method === 'DELETE' ? 'cancel' : undefined;
}

function answer(operation: Operation, call: SandboxCall): SandboxReply {
  if (operation === 'book') return book(call);
  if (operation === 'region') return jsonReply(200, SETTLEMENTS);
  if (operation === 'quote') {
    return asked(call) ?? jsonReply(200, { totalRate: 29.9, currency: 'ILS', taxRate: 0.18 });
  }
  if (operation === 'slots') return asked(call) ?? jsonReply(200, slotAfter(call.nowMs));
  const [path = ''] = call.target.slice(ROOT.length).split('?');
  const parcel = call.ledger.byCode(decodeURIComponent(DELIVERY.exec(path)?.[1] ?? ''));
  if (parcel === undefined) return jsonReply(404, { message: 'Delivery not found' });
  return operation === 'cancel' ? cancel(parcel, call) : jsonReply(200, present(parcel));
}

/** The refusal of a quote request; null when it is valid. */
function asked({ body }: SandboxCall): SandboxReply | null {
  return quoteCheck()(jsonOf(Buffer.from(body))) ? null : invalid(quoteCheck().errors);
}

/** Tomorrow's window as a UTC instant: midnight in Israel. */
function slotAfter(nowMs: number): object {
  const date = `${new Date(nowMs).toISOString().slice(0, 10)}T22:00:00.000Z`;
  return { serviceType: 'SHARED_ROUTE', subServiceType: 'SAME_DAY', date, timeRange: '10:30-16:00' };
}

function book({ body, ledger, nowMs }: SandboxCall): SandboxReply {
  const request = jsonOf(Buffer.from(body));
  if (!bookingCheck()(request)) return invalid(bookingCheck().errors);
  const reference = textAt(request, 'package', 'packageId');
  const earlier = ledger.byReference(reference);
  if (earlier !== undefined) {
    earlier.requests += 1;
    ledger.save(earlier);
  }
  // The carrier detects no duplicates: a repeated reference makes a second parcel.
  const parcel = ledger.book(reference, '', nowMs, request);
  return jsonReply(201, {
    id: Number(parcel.code),
    routeId: Number(parcel.random),
    trackingUrl: trackingUrlOf(parcel),
  });
}

function cancel(parcel: Parcel, { ledger }: SandboxCall): SandboxReply {
  if (parcel.cancelled) return jsonReply(404, { message: 'Delivery not found' });
  if (currentStatus(statuses, parcel).means !== 'created') {
    return jsonReply(409, { message: 'The courier has the package' });
  }
  parcel.cancelled = true;
  ledger.save(parcel);
  return jsonReply(200, { success: true });
}

function present(parcel: Parcel): object {
  const { word: status } = currentStatus(statuses, parcel);
  const courier = { name: 'Courier', phoneNumber: '0500000000' };
  return { id: Number(parcel.code), status, trackingUrl: trackingUrlOf(parcel), courier };
}

function trackingUrlOf(parcel: Parcel): string {
  return `https://tracking.example/${parcel.random}`;
}

function isAuthorized({ headers }: SandboxRequest, token: string): boolean {
  return headers.authorization?.toLowerCase() === `apikey ${token}`.toLowerCase();
}

function invalid(
  errors: readonly { instancePath: string; message?: string }[] | null | undefined,
): SandboxReply {
  const message = (errors ?? []).map(({ instancePath, message: text }) => `${instancePath} ${text}`);
  return jsonReply(400, { statusCode: 400, message, error: 'Bad Request' });
}

/** The same-day platform's shared routes, strict about fields, minimum lengths and sizes. */
export const getpackageProtocol: SandboxProtocol = {
  operationOf,
  isAuthorized,
  answer,
  refuse: () => jsonReply(200, { error: 'unknown location' }),
  statuses,
};
