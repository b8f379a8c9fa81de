import { LIONWHEEL_STATUSES } from '../../../src/carriers/lionwheel/replies.js';
import { israelWallClock } from '../../../src/lib/time.js';
import type { Operation } from './faults.js';
import { jsonReply, objectOf } from './json.js';
import type { Parcel } from './ledger.js';
import { labelPdf } from './pdf.js';
import type { SandboxCall, SandboxProtocol, SandboxReply, SandboxRequest } from './protocol.js';
import { currentStatus, type SandboxStatuses } from './statuses.js';

const API = '/api/v1/';

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isFlag: Check = (value) => typeof value === 'boolean';
const isDay: Check = (value) => typeof value === 'string' && /^\d{2}\/\d{2}\/\d{4}$/.test(value);

const PLACE = ['name', 'recipient_name', 'phone', 'email', 'city', 'street', 'number', 'floor', 'apartment'];
const PLACE_TOO = ['zip_code', 'notes'];

/** Known fields of `tasks/create` and their checks. */
const FIELDS = new Map<string, Check>([
  ...['source', 'destination'].flatMap((end) =>
    [...PLACE, ...PLACE_TOO].map((name): [string, Check] => [`${end}_${name}`, isText]),
  ),
  ['original_order_id', isText],
  ['destination_entrance', isText],
  ['notes', isText],
  ['pickup_at', isDay],
  ['self_pickup_point_uuid', isText],
  ['packages_quantity', isCount],
  ['is_roundtrip', isFlag],
  ['urgency', (value) => ['REGULAR', 'URGENT', 'SUPER_URGENT'].includes(String(value))],
  ['company_id', isCount],
  ['money_collect', isCount],
  ['cod_type', (value) => isCount(value) && Number(value) <= 3],
]);

const POINTS = [
  {
    uuid: '7d5b0a52-6a0e-4a58-9d4c-0c5f9a4b1e01',
    name: 'מכולת השכונה',
    city: 'תל אביב-יפו',
    street: 'דיזנגוף',
    number: '99',
    latitude: 32.08,
    longitude: 34.774,
    phone: '035550101',
    notes: '24/7',
    external_id: null,
  },
  {
    uuid: '7d5b0a52-6a0e-4a58-9d4c-0c5f9a4b1e02',
    name: 'Kiosk & Co',
    city: 'חיפה',
    street: 'הרצל',
    number: '12',
    latitude: 32.811,
    longitude: 34.999,
    phone: null,
    notes: null,
    external_id: 'K2',
  },
];

/** The only city without a region. */
const OUT_OF_REACH = 'אילת';

/** Accepted by number or name, sent by name. */
const statuses: SandboxStatuses = {
  known: LIONWHEEL_STATUSES.flatMap(([number, name, means]) =>
    [number, name].map((word) => ({ word, means, text: name })),
  ),
  others: { pattern: /^\d{1,4}$/, description: 'any other number of up to four digits' },
};
/** The courier's note for each failed status. */
const REASONS: Readonly<Record<string, string>> = { FAILED: 'אין מענה', FINAL_FAILED: 'הנמען סירב לקבל' };

function pathOf(target: string): string {
  return target.split('?')[0] ?? '';
}

function operationOf({ method, target }: Pick<SandboxRequest, 'method' | 'target'>): Operation | undefined {
  const path = pathOf(target);
  if (/^\/labels\/\d+\.pdf$/.test(path)) return method === 'GET' ? 'label' : undefined;
  if (!path.startsWith(API)) return undefined;
  const route = `${method} ${path.slice(API.length)}`;
  if (route === 'POST tasks/create') return 'book';
  if (route === 'POST tasks/check_region') return 'region';
  if (route === 'GET self_pickup_points') return 'points';
  if (/^GET tasks\/by_order_id\/[^/]+$/.test(route)) return 'find';
  if (/^GET tasks\/show\/[^/]+$/.test(route)) return 'status';
  if (/^PUT tasks\/[^/]+\/update$/.test(route)) return 'cancel';
  return undefined;
}

/** Label URLs are unguessable and need no key. */
function isAuthorized({ target }: SandboxRequest, token: string): boolean {
  if (pathOf(target).startsWith('/labels/')) return true;
  return new URLSearchParams(target.split('?')[1]).get('key') === token;
}

function answer(operation: Operation, call: SandboxCall): SandboxReply {
  const path = pathOf(call.target);
  const [, , , , third = '', fourth = ''] = path.split('/');
  if (operation === 'points') return jsonReply(200, POINTS);
  if (operation === 'label') return label(call, path);
  if (operation === 'find') return find(call, decodeURIComponent(fourth));
  if (operation === 'status') {
    const parcel = byTask(call, fourth);
    return parcel === undefined ? notFound(404) : jsonReply(200, { task: taskOf(parcel, call) });
  }
  if (!String(call.headers['content-type']).startsWith('application/json')) {
    return jsonReply(415, { error: 'Content-Type must be application/json' });
  }
  const body = objectOf(call.body);
  if (body === null) return jsonReply(400, { error: 'Malformed JSON' });
  if (operation === 'book') return book(body, call);
  return operation === 'region' ? region(body) : update(body, call, third);
}

function book(body: Map<string, unknown>, call: SandboxCall): SandboxReply {
  const { ledger, config, nowMs } = call;
  const wrong = [...body].filter(([name, value]) => FIELDS.get(name)?.(value) !== true).map(([name]) => name);
  if (wrong.length > 0) {
    return jsonReply(422, { errors: Object.fromEntries(wrong.map((name) => [name, ['is invalid']])) });
  }
  const city = body.get('destination_city') ?? '';
  if (city === '') return jsonReply(422, { errors: { destination_city: ["can't be blank"] } });
  const point = body.get('self_pickup_point_uuid');
  if (point !== undefined && !POINTS.some(({ uuid }) => uuid === point)) {
    return jsonReply(403, { error: 'Error - Self Pickup Point not found' });
  }
  const reference = String(body.get('original_order_id') ?? '');
  const earlier = reference === '' ? undefined : ledger.byReference(reference);
  if (earlier !== undefined) {
    earlier.requests += 1;
    ledger.save(earlier);
    if (config.rejectDuplicates) return jsonReply(403, { error: 'Error - Original Order ID already exists' });
  }
  const parcel = ledger.book(reference, '', nowMs, Object.fromEntries(body));
  const { id, ...told } = taskOf(parcel, call);
  return jsonReply(200, { task_id: id, ...told, waybill: told.label, destination_region_str: 'מרכז' });
}

/** The number is the parcel's second code; people use the first. */
function taskOf(parcel: Parcel, { headers }: Pick<SandboxCall, 'headers'>) {
  return {
    id: Number(parcel.random),
    public_id: parcel.code,
    original_order_id: parcel.reference,
    barcode: `${parcel.random}:`,
    status: statusName(parcel),
    failure_reason: REASONS[statusName(parcel)] ?? null,
    created_at: parcel.bookedAt,
    label: `http://${headers.host}/labels/${parcel.random}.pdf`,
    tracking_link: `http://${headers.host}/locate/${parcel.code}`,
  };
}

function byTask({ ledger }: SandboxCall, id: string): Parcel | undefined {
  return ledger.parcels.find((parcel) => parcel.random === id);
}

function notFound(status: number): SandboxReply {
  return jsonReply(status, { error: 'Not found' });
}

function find(call: SandboxCall, reference: string): SandboxReply {
  const tasks = call.ledger.parcels.filter((parcel) => parcel.reference === reference);
  return jsonReply(200, { tasks: tasks.map((parcel) => taskOf(parcel, call)) });
}

function label({ ledger }: SandboxCall, path: string): SandboxReply {
  const parcel = ledger.parcels.find(({ random }) => path === `/labels/${random}.pdf`);
  if (parcel === undefined) return notFound(404);
  const booked = israelWallClock(Date.parse(parcel.bookedAt)).date;
  const body = labelPdf([
    'LIONWHEEL SANDBOX',
    `Task ${parcel.random}`,
    `Code ${parcel.code}`,
    `Booked ${booked}`,
  ]);
  return { status: 200, contentType: 'application/pdf', body };
}

/** Last cancellation request of a parcel, to refuse a repeat within a second. */
const updatedAt = new WeakMap<Parcel, number>();

function update(body: Map<string, unknown>, call: SandboxCall, id: string): SandboxReply {
  const parcel = byTask(call, id);
  if (parcel === undefined) return notFound(403);
  if (body.size !== 1 || body.get('status') !== 'CANCELED') {
    return jsonReply(403, {
      error: 'Status change not allowed - company users can only change status to CANCELED',
    });
  }
  if (call.nowMs - (updatedAt.get(parcel) ?? 0) < 1000)
    return jsonReply(409, { error: 'Duplicated request' });
  updatedAt.set(parcel, call.nowMs);
  if (!['UNASSIGNED', 'ASSIGNED'].includes(statusName(parcel))) {
    return jsonReply(403, {
      error: 'Update not allowed for task status - company users cannot edit tasks in the current status',
    });
  }
  parcel.cancelled = true;
  call.ledger.save(parcel);
  return jsonReply(200, { message: 'Saved successfully' });
}

function region(body: Map<string, unknown>): SandboxReply {
  const city = String(body.get('city') ?? '');
  if (city === '') return jsonReply(422, { error: 'City is missing' });
  if (city === 'nowhere') return jsonReply(422, { error: "Couldn't find the address" });
  const place = { latitude: 32.08, longitude: 34.78 };
  return city === OUT_OF_REACH
    ? jsonReply(200, { ...place, region_str: null, error: 'No region found' })
    : jsonReply(200, { ...place, region_str: 'מרכז', is_forbidden: false, next_delivery_date: '23/11/2026' });
}

function refuse(operation: Operation): SandboxReply {
  if (operation === 'label') return jsonReply(200, { error: 'Label not ready' });
  return jsonReply(200, { errors: { base: ['לא ניתן לאתר את כתובת היעד'] } });
}

function statusName(parcel: Parcel): string {
  const { word, text } = currentStatus(statuses, parcel);
  return text || word;
}

/** LionWheel's API, strict about fields, types and content types. It does not sign its posts. */
export const lionwheelProtocol: SandboxProtocol = {
  operationOf,
  isAuthorized,
  answer,
  refuse,
  statuses,
  webhook: (parcel) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      task: {
        id: Number(parcel.random),
        public_id: parcel.code,
        order_id: parcel.reference,
        barcode: `${parcel.random}:`,
        status: statusName(parcel),
        failure_reason: REASONS[statusName(parcel)] ?? null,
        visits: [],
      },
      trigger_field: 'status',
    }),
  }),
};
