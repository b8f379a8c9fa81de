import { TextDecoder } from 'node:util';
import { encodeWindows1255 } from '../../../src/carriers/windows-1255.js';
import { israelWallClock } from '../../../src/lib/time.js';
import type { Operation } from './faults.js';
import type { Parcel } from './ledger.js';
import { labelPdf } from './pdf.js';
import type {
  SandboxCall,
  SandboxConfig,
  SandboxProtocol,
  SandboxReply,
  SandboxRequest,
} from './protocol.js';
import { CANCELLED_FLAG, refusalText, runStatuses } from './run-statuses.js';
import { currentStatus, statusOf } from './statuses.js';

const PATH = '/RunCom.Server/Request.aspx';
const BOOKING_ARGUMENTS = 42;
/** Text arguments of `ship_create_anonymous` by position (from 1), and their maximum lengths. */
const LENGTHS: Record<number, number> = {
  5: 10,
  11: 20,
  13: 30,
  15: 30,
  16: 5,
  17: 1,
  18: 2,
  19: 4,
  20: 20,
  22: 200,
  24: 70,
  25: 80,
  26: 50,
  33: 500,
  40: 100,
};

const POINTS = [
  ['1001', 'מכולת השכונה', 'תל אביב-יפו', 'דיזנגוף', '99', '32.0800', '34.7740', 'y'],
  ['1002', 'Kiosk & Co "24/7"', 'חיפה', 'הרצל', '12', '32.8110', '34.9990', 'y'],
  ['1003', 'חנות הספרים', 'ירושלים', 'יפו', '210', '31.7890', '35.2030', 'y'],
  ['1004', 'Collection only', 'אילת', 'התמרים', '3', '29.5570', '34.9510', 'n'],
];

/** Splits a target into program and arguments, keeping prefixes, like the carrier's server. */
function readTarget(target: string): { program: string; args: string[] } | undefined {
  const [path, query = ''] = target.split('?');
  if (path !== PATH) return undefined;
  const parameters = new Map(
    query.split('&').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decode(pair.slice(at + 1))];
    }),
  );
  return { program: parameters.get('PRGNAME') ?? '', args: (parameters.get('ARGUMENTS') ?? '').split(',') };
}

function decode(encoded: string): string {
  const bytes = Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1255').decode(bytes);
  }
}

/** The argument at a position (from 1) without its prefix. */
const valueAt = (args: readonly string[], position: number): string => (args[position - 1] ?? '').slice(2);

function operationOf({ target }: Pick<SandboxRequest, 'target'>): Operation | undefined {
  const call = readTarget(target);
  if (call?.program === 'ship_create_anonymous') return 'book';
  if (call?.program === 'bitul_mishloah') return 'cancel';
  if (call?.program === 'ship_print_ws') return 'label';
  if (call?.program === 'ws_spotslist') return 'points';
  // One program serves both: a look-up has a reference, a status request a number.
  if (call?.program === 'ship_status_xml') return valueAt(call.args, 1) === '' ? 'find' : 'status';
  return undefined;
}

function answer(operation: Operation, call: SandboxCall): SandboxReply {
  const args = readTarget(call.target)?.args ?? [];
  if (operation === 'book') return book(args, call);
  if (operation === 'cancel') return cancel(args, call);
  if (operation === 'label') return label(args, call);
  if (operation === 'points') return points(args, call.config);
  return status(args, call);
}

function book(args: readonly string[], { ledger, config, nowMs }: SandboxCall): SandboxReply {
  const error = bookingError(args);
  if (error !== null) return bookingReply('0', '', error, config);
  const reference = valueAt(args, 22);
  const earlier = reference === '' ? undefined : ledger.byReference(reference);
  if (earlier !== undefined) {
    earlier.requests += 1;
    ledger.save(earlier);
    if (config.rejectDuplicates) return bookingReply('0', '', '500', config);
  }
  const parcel = ledger.book(reference, valueAt(args, 1), nowMs, toldOf(args));
  return bookingReply(parcel.code, parcel.random, '', config);
}

/** The non-empty arguments by their position in the carrier's manual. */
function toldOf(args: readonly string[]): Record<string, string> {
  const named = args.map((_, index): [string, string] => [`P${index + 1}`, valueAt(args, index + 1)]);
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}

/** The carrier's error code for an invalid booking; null for a valid one. */
function bookingError(args: readonly string[]): string | null {
  if (args.length !== BOOKING_ARGUMENTS || !args.every((argument) => /^-[AN]/.test(argument))) return '0';
  if (!/^\d+$/.test(valueAt(args, 1))) return '1500';
  if (!['מסירה', 'איסוף'].includes(valueAt(args, 2))) return '700';
  if (valueAt(args, 11) === '') return '800';
  if (valueAt(args, 13) === '') return '100';
  const point = valueAt(args, 35) || valueAt(args, 34);
  if (point !== '' && !POINTS.some(([code]) => code === point)) return '900';
  if (point === '' && valueAt(args, 15) === '') return '200';
  if (Number(valueAt(args, 23)) > 99) return '1200';
  const tooLong = Object.entries(LENGTHS).some(
    ([position, max]) => Array.from(valueAt(args, Number(position))).length > max,
  );
  return tooLong ? '1800' : null;
}

function bookingReply(number: string, random: string, error: string, config: SandboxConfig): SandboxReply {
  const failed = error !== '';
  return xml(
    `<root><result>ok</result><task>ws simple ship create answer</task><mydata>` +
      `<shgiya_yn>${cdata(failed ? 'y' : 'n')}</shgiya_yn><message/><answer>` +
      `<ship_create_num>${number}</ship_create_num><ship_num_rand>${random}</ship_num_rand>` +
      `<ship_create_error>${failed ? cdata(refusalText(error)) : ''}</ship_create_error>` +
      `<ship_create_error_code>${error}</ship_create_error_code></answer></mydata></root>`,
    config,
  );
}

function status(args: readonly string[], { ledger, config }: SandboxCall): SandboxReply {
  const number = valueAt(args, 1);
  const parcel = number === '' ? ledger.byReference(valueAt(args, 2)) : ledger.byCode(number);
  // By number, the real server also returns other customers' parcels; by reference it does not.
  const hidden = number === '' && parcel?.customer !== valueAt(args, 4);
  if (parcel === undefined || hidden) return statusReply('<ship_no>0</ship_no>', config);
  const { means, text } = currentStatus(runStatuses, parcel);
  const flag = (yes: boolean) => cdata(yes ? 'y' : 'n');
  return statusReply(
    `<ship_no>${parcel.code}</ship_no><master_customer_id>${parcel.customer}</master_customer_id>` +
      `<current_stage_desc>${cdata(text)}</current_stage_desc>` +
      `<ship_delivered_yn>${flag(means === 'delivered')}</ship_delivered_yn>` +
      `<ship_canceled_yn>${flag(parcel.cancelled)}</ship_canceled_yn>` +
      `<destination_branch_name>${cdata('סניף מרכז')}</destination_branch_name>` +
      `<driver_name><!$MG_driver_name></driver_name>` +
      parcel.events.map(eventXml).join(''),
    config,
  );
}

function eventXml(event: Parcel['events'][number]): string {
  const { date, time } = israelWallClock(event.atMs);
  const { word, text } = statusOf(runStatuses, event);
  return (
    `<status><status_code>${word}</status_code><status_desc>${cdata(text || `קוד ${word}`)}</status_desc>` +
    `<status_date>${date}</status_date><status_time>${time}</status_time></status>`
  );
}

function statusReply(inner: string, config: SandboxConfig): SandboxReply {
  return xml(`<root><result>ok</result><task>ship status</task><mydata>${inner}</mydata></root>`, config);
}

function cancel(args: readonly string[], { ledger, config }: SandboxCall): SandboxReply {
  const parcel = ledger.byAnyCode(valueAt(args, 1));
  if (parcel === undefined || parcel.customer !== valueAt(args, 5))
    return cancelReply('ERROR', 'המשלוח לא נמצא', config);
  if (parcel.cancelled) return cancelReply('ERROR', 'המשלוח כבר בוטל', config);
  if (currentStatus(runStatuses, parcel).means !== 'created') {
    return cancelReply('ERROR', 'לא ניתן לבטל משלוח שכבר נאסף', config);
  }
  parcel.cancelled = true;
  ledger.save(parcel);
  return cancelReply('OK', 'המשלוח בוטל', config);
}

function cancelReply(result: string, text: string, config: SandboxConfig): SandboxReply {
  return xml(`<root><status>${result}</status><status_desc>${cdata(text)}</status_desc></root>`, config);
}

function label(args: readonly string[], { ledger, config }: SandboxCall): SandboxReply {
  const parcel = ledger.byCode(valueAt(args, 1));
  if (parcel === undefined) return errorReply('Shipment not found', config);
  const body = labelPdf(['RUN SANDBOX', `Parcel ${parcel.code}`, `Booked ${parcel.bookedAt.slice(0, 10)}`]);
  return { status: 200, contentType: 'application/pdf', body };
}

function points(args: readonly string[], config: SandboxConfig): SandboxReply {
  const city = valueAt(args, 1);
  const names = ['n_code', 'name', 'city', 'street', 'house', 'latitude', 'longitude', 'mesirot_yn'];
  const spots = POINTS.filter((point) => city === 'all' || point[2] === city).map((point) => {
    const fields = names.map((name, index) => `<${name}>${cdata(point[index] ?? '')}</${name}>`).join('');
    return `<spot_detail>${fields}<remarks><![CDATA[<!$MG_remarks>]]></remarks><type>${cdata('store')}</type></spot_detail>`;
  });
  return xml(`<root><result>ok</result><spots>${spots.join('')}</spots></root>`, config);
}

function refuse(operation: Operation, carrierCode: number, config: SandboxConfig): SandboxReply {
  if (operation === 'book') return bookingReply('0', '', String(carrierCode), config);
  if (operation === 'cancel') return cancelReply('ERROR', 'לא ניתן לבטל את המשלוח', config);
  return errorReply(`Internal error ${carrierCode}`, config);
}

function errorReply(message: string, config: SandboxConfig): SandboxReply {
  return xml(`<root><result>error</result><message>${cdata(message)}</message></root>`, config);
}

function advance(parcel: Parcel, word: string, nowMs: number): void {
  if (word === CANCELLED_FLAG) {
    parcel.cancelled = true;
    return;
  }
  // Rounded up to whole seconds, the protocol's precision, so that an event never precedes its booking.
  const atMs = Math.max(Math.ceil(nowMs / 1000) * 1000, parcel.events.at(-1)?.atMs ?? 0);
  parcel.events.push({ status: word, atMs });
}

function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

function xml(body: string, { charset }: SandboxConfig): SandboxReply {
  const text = `<?xml version="1.0" encoding="${charset}"?>\n${body}`;
  const bytes = charset === 'utf-8' ? Buffer.from(text) : Buffer.from(encodeWindows1255(text));
  return { status: 200, contentType: `text/xml; charset=${charset}`, body: bytes };
}

/** Protocol "WS Simple" of Run's server, strict about counts, prefixes and lengths. */
export const runProtocol: SandboxProtocol = {
  operationOf,
  isAuthorized: ({ headers }, token) => headers.authorization === `Bearer ${token}`,
  answer,
  refuse,
  statuses: runStatuses,
  advance,
};
