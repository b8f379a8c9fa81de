import { CARGO_STATUSES } from '../../../src/carriers/cargo/replies.js';
import { statusName } from '../../../src/domain/statuses.js';
import { israelWallClock } from '../../../src/lib/time.js';
import type { Operation } from './faults.js';
import { jsonReply, objectOf } from './json.js';
import type { Parcel } from './ledger.js';
import { labelPdf } from './pdf.js';
import type { SandboxCall, SandboxProtocol, SandboxReply, SandboxRequest } from './protocol.js';
import { currentStatus, type SandboxStatuses, statusesOf } from './statuses.js';

const API = '/api/shipments/';
const LABELS = '/storage/shipmentLabels/';

const ROUTES = new Map<string, Operation>([
  ['POST create', 'book'],
  ['POST get-status', 'status'],
  ['PUT update-status', 'cancel'],
  ['POST print-label', 'label'],
  ['POST print-label-a4', 'label'],
  ['GET get-pickup-points', 'points'],
]);

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isFilled: Check = (value) => typeof value === 'string' && value !== '';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isAmount: Check = (value) => typeof value === 'number' && value >= 0;
const oneOf =
  (...allowed: number[]): Check =>
  (value) =>
    allowed.some((one) => one === value);

/** Fields of `create`: type check, and whether required. */
const FIELDS: Record<string, readonly [check: Check, isRequired: boolean]> = {
  shipping_type: [oneOf(1, 2, 3), true],
  number_of_parcels: [isCount, false],
  double_delivery: [oneOf(1, 2), true],
  total_value: [isAmount, false],
  transaction_id: [isText, false],
  order_id: [isText, false],
  cod_type: [oneOf(0, 1, 2, 3), false],
  cash_on_delivery: [isAmount, false],
  carrier_id: [oneOf(0, 1), true],
  box_point_id: [isCount, false],
  notes: [isText, false],
  platform: [isText, false],
  customer_code: [isCount, true],
};

const PLACE: Record<string, readonly [check: Check, isRequired: boolean]> = {
  ...Object.fromEntries(
    ['street2', 'name', 'company', 'email', 'floor', 'apartment', 'entrance'].map((name) => [
      name,
      [isText, false] as const,
    ]),
  ),
  street1: [isFilled, true],
  city: [isFilled, true],
  phone: [isFilled, true],
};

const POINTS = [
  {
    DistributionPointID: 10003,
    DistributionPointName: 'קופי PLAY',
    CityName: 'אשקלון',
    StreetName: 'דוד רמז',
    StreetNum: '1',
    Comment: 'א-ה 11:00-17:00',
    Phone: '0355501',
    Islocker: 'לא',
    Latitude: 31.67,
    Longitude: 34.58,
  },
  {
    DistributionPointID: 10019,
    DistributionPointName: 'Kiosk & Co',
    CityName: 'חיפה',
    StreetName: 'דרך צרפת',
    StreetNum: '63',
    Comment: null,
    Phone: '',
    Islocker: 'כן',
    Latitude: 32.82,
    Longitude: 34.96,
  },
];

const statuses: SandboxStatuses = {
  known: statusesOf(CARGO_STATUSES, {
    '1': 'פתוח',
    '2': 'הועבר לשליח',
    '3': 'בוצע',
    '4': 'נאסף',
    '5': 'חזר מכפולה',
    '7': 'מאושר',
    '8': 'בוטל',
    '9': 'שליח שני',
    '12': 'ממתין',
    '25': 'במחסן',
    '50': 'בדרך ליעד',
    '51': 'בדרך לנקודה',
    '52': 'ממתין בנקודה',
    '55': 'התקבל בנקודה',
  }),
  others: { pattern: /^\d{1,4}$/, description: 'any other number of up to four digits' },
};

const pathOf = (target: string): string => target.split('?')[0] ?? '';

function operationOf({ method, target }: Pick<SandboxRequest, 'method' | 'target'>): Operation | undefined {
  const path = pathOf(target);
  if (path.startsWith(LABELS)) return method === 'GET' ? 'label' : undefined;
  return path.startsWith(API) ? ROUTES.get(`${method} ${path.slice(API.length)}`) : undefined;
}

/** Label URLs are unguessable and need no token. */
function isAuthorized({ target, headers }: SandboxRequest, token: string): boolean {
  return pathOf(target).startsWith(LABELS) || headers.authorization === `Bearer ${token}`;
}

function answer(operation: Operation, call: SandboxCall): SandboxReply {
  const path = pathOf(call.target);
  if (operation === 'points') return jsonReply(201, POINTS);
  if (path.startsWith(LABELS)) return labelFile(call, path.slice(LABELS.length));
  const body = objectOf(call.body);
  const isJson = String(call.headers['content-type']).startsWith('application/json');
  if (body === null || !isJson) return invalid(['body']);
  if (operation === 'book') return book(body, call);
  if (operation === 'label') return label(body, call, path.endsWith('-a4'));
  const parcel = call.ledger.byCode(String(body.get('shipment_id')));
  const isNumber = isCount(body.get('shipment_id')) && isCount(body.get('customer_code'));
  if (!isNumber) return invalid(['shipment_id', 'customer_code']);
  if (parcel === undefined || parcel.customer !== String(body.get('customer_code'))) return missing();
  return operation === 'cancel' ? update(body, parcel, call) : jsonReply(201, success(statusOf(parcel)));
}

function book(body: Map<string, unknown>, { ledger, nowMs }: SandboxCall): SandboxReply {
  const { to_address: to, from_address: from, ...rest } = Object.fromEntries(body);
  const wrong = [
    ...wrongIn(rest, FIELDS),
    ...wrongIn(to, PLACE).map((name) => `to_address.${name}`),
    ...wrongIn(from, PLACE).map((name) => `from_address.${name}`),
  ];
  // A shipment for a box needs no street.
  const isBox = body.get('carrier_id') === 0;
  const refused = isBox ? wrong.filter((name) => name !== 'to_address.street1') : wrong;
  if (refused.length > 0) return invalid(refused);
  const point = body.get('box_point_id');
  if (isBox && point !== undefined && !POINTS.some((one) => one.DistributionPointID === point)) {
    return jsonReply(201, { errors: true, data: [], message: 'Point not found' });
  }
  // The carrier does not detect duplicates: the same order makes two parcels.
  const parcel = ledger.book(
    String(body.get('transaction_id') ?? ''),
    String(body.get('customer_code')),
    nowMs,
    Object.fromEntries(body),
  );
  return jsonReply(201, {
    errors: false,
    data: { shipment_id: Number(parcel.code), driver_name: 'נהג לדוגמה', line_text: 'Box 27' },
    message: 'Successfully created shipment',
  });
}

/** Names of missing, unknown and mistyped members. */
function wrongIn(value: unknown, fields: Record<string, readonly [Check, boolean]>): string[] {
  if (typeof value !== 'object' || value === null) return ['*'];
  const given = new Map<string, unknown>(Object.entries(value));
  const missed = Object.keys(fields).filter((name) => fields[name]?.[1] === true && !given.has(name));
  return [
    ...missed,
    ...[...given].filter(([name, one]) => fields[name]?.[0](one) !== true).map(([name]) => name),
  ];
}

function invalid(names: readonly string[]): SandboxReply {
  const errors = Object.fromEntries(names.map((name) => [name, [`The ${name} field is invalid.`]]));
  return jsonReply(422, { message: 'The given data was invalid.', errors });
}

function missing(): SandboxReply {
  return jsonReply(404, { errors: true, data: [], message: 'Shipment not found' });
}

function success(data: unknown) {
  return { errors: false, data, message: 'Success.' };
}

/** Number and text of the parcel's status. */
function told(parcel: Parcel): { number: string; text: string; english: string } {
  const { word: number, means, text } = currentStatus(statuses, parcel);
  const english = means === undefined ? `Code ${number}` : statusName(means);
  return { number, text: text || `קוד ${number}`, english };
}

function statusOf(parcel: Parcel) {
  const { number, text, english } = told(parcel);
  const { date, time } = israelWallClock(parcel.events.at(-1)?.atMs ?? 0);
  return {
    shipment_id: Number(parcel.code),
    status_code: Number(number),
    status_text: text,
    status_text_en: english,
    status_date: `${date.split('/').toReversed().join('-')} ${time}`,
    city: 'Israel',
    state: 'Israel',
    transaction_id: parcel.reference,
  };
}

function update(body: Map<string, unknown>, parcel: Parcel, { ledger, nowMs }: SandboxCall): SandboxReply {
  if (body.get('status_code') !== 8) return invalid(['status_code']);
  if (!['1', '2', '7', '12'].includes(told(parcel).number)) {
    const message = parcel.cancelled ? 'המשלוח כבר בוטל' : 'המשלוח כבר אצל השליח';
    return jsonReply(201, { errors: true, data: [], message });
  }
  parcel.cancelled = true;
  parcel.events.push({ status: 'cancelled', atMs: nowMs });
  ledger.save(parcel);
  return jsonReply(201, success({ ...statusOf(parcel), updated: true }));
}

function label(body: Map<string, unknown>, call: SandboxCall, isSheet: boolean): SandboxReply {
  const ids: unknown = body.get('shipment_ids');
  const position = body.get('starting_point') ?? 1;
  const format = body.get('format') ?? 'pdf';
  if (!Array.isArray(ids) || !ids.every(isCount)) return invalid(['shipment_ids']);
  if (!isCount(position) || Number(position) < 1 || Number(position) > 8) return invalid(['starting_point']);
  const parcel = call.ledger.byCode(String(ids[0]));
  if (parcel === undefined) return missing();
  const isInside = !isSheet && format === 'base64';
  const file = `${parcel.random}-${parcel.code}${isSheet ? `-a4-${String(position)}` : ''}.pdf`;
  const data = isInside
    ? pdfOf(parcel, '').toString('base64')
    : `http://${call.headers.host}${LABELS}${file}`;
  return jsonReply(201, success(data));
}

function labelFile({ ledger }: SandboxCall, file: string): SandboxReply {
  const [random, code = '', , position] = file.replace(/\.pdf$/, '').split('-');
  const parcel = ledger.byCode(code);
  if (parcel === undefined || parcel.random !== random) return missing();
  const body = pdfOf(parcel, position === undefined ? '' : `A4 position ${position}`);
  return { status: 200, contentType: 'application/pdf', body };
}

function pdfOf(parcel: Parcel, more: string): Buffer {
  return labelPdf([
    'CARGO SANDBOX',
    `Shipment ${parcel.code}`,
    `Booked ${parcel.bookedAt.slice(0, 10)}`,
    more,
  ]);
}

function refuse(operation: Operation, carrierCode: number): SandboxReply {
  const message = operation === 'book' ? 'הכתובת לא נמצאה' : `Internal error ${carrierCode}`;
  return jsonReply(201, { errors: true, data: [], message });
}

/** Cargo's second API, strict about fields and types. It detects no duplicates and does not sign its posts. */
export const cargoProtocol: SandboxProtocol = {
  operationOf,
  isAuthorized,
  answer,
  refuse,
  statuses,
  webhook: (parcel) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'status-update',
      shipment_id: Number(parcel.code),
      customer_code: Number(parcel.customer),
      new_status_code: Number(told(parcel).number),
      new_status: told(parcel).text,
    }),
  }),
};
