import type { BookedParcel } from '../../domain/shipment.js';
import type { StatusCode } from '../../domain/statuses.js';
import { israelToIso } from '../../lib/israel-time.js';
import { LIMITS } from '../../lib/limits/values.js';
import type { CarrierStatus, Outcome, PickupPoint } from '../contract.js';
import type { HttpReply } from '../http.js';
import { pointWith } from '../json.js';
import { pdfOf } from '../label-file.js';
import { accepted, UNREADABLE } from '../outcomes.js';
import { happened } from '../readings.js';
import { carrierText } from '../text.js';
import { decodeText, findAll, parseXml, textOf, type XmlNode } from '../xml.js';

/** Status codes of Focus. Other hosts have codes per merchant, set in the license. */
export const RUN_STATUSES: ReadonlyMap<string, StatusCode> = new Map([
  ['5', 'created'],
  ['7', 'created'],
  ['10', 'collected'],
  ['20', 'in_transit'],
  ['30', 'out_for_delivery'],
  ['40', 'delivered'],
  ['50', 'returned'],
  ['60', 'delivery_failed'],
]);

/** Texts for error codes of `ship_create_anonymous` in replies without a text. */
const ERRORS: Record<string, string> = {
  '0': 'The carrier refused the shipment without a reason.',
  '100': 'The carrier does not know the city.',
  '200': 'The carrier does not know the street.',
  '300': 'The destination point is not valid.',
  '400': 'The source point is not valid.',
  '500': 'The reference was used before.',
  '600': 'The second reference was used before.',
  '700': 'The direction of the shipment is not valid.',
  '800': 'The name is missing or not valid.',
  '900': 'The pickup point was not found.',
  '1000': 'The pickup point is not in the city.',
  '1200': 'Too many packages.',
  '1300': 'Too many packages.',
  '1500': 'The customer is not allowed to book.',
  '1600': 'There is no price for the zone.',
  '1700': 'There is no price for the duration.',
  '1800': 'The address is not valid.',
};
const USED_BEFORE = new Set(['500', '600']);

/** Reply of the status program for one parcel; events oldest first. */
export interface RunStatus {
  parcel: BookedParcel;
  /** Whether the reply named the parcel's owner. Another customer's parcel is never returned. */
  ownerNamed: boolean;
  cancelled: boolean;
  status: CarrierStatus;
}

/** The parts of a reply that XML is read from. */
export interface XmlReply {
  contentType: string;
  body: Uint8Array;
}

/** Parses the reply as XML, without the server's unfilled placeholders; null when unreadable. */
function readXml(reply: XmlReply): XmlNode {
  // A placeholder ends before the next begins; else unclosed ones would make the search quadratic.
  return parseXml(decodeText(reply.body, reply.contentType).replace(/<!\$MG_[^<>]*>/g, ''));
}

/** Reads the reply of `ship_create_anonymous`. A reply with neither a number nor an error is `unknown`. */
export function readBooking(reply: HttpReply): Outcome<BookedParcel> {
  const xml = readXml(reply);
  const number = textOf(xml, 'ship_create_num');
  if (xml === null || number === undefined) return UNREADABLE;
  const refused = textOf(xml, 'shgiya_yn')?.toLowerCase() === 'y';
  if (!refused && isParcelNumber(number)) {
    return accepted(parcelOf(number, textOf(xml, 'ship_num_rand')));
  }
  const code = textOf(xml, 'ship_create_error_code') || '0';
  const named = textOf(xml, 'ship_create_error') || textOf(xml, 'message');
  const isError = refused || /^0+$/.test(number) || (number === '' && (named || /[^0]/.test(code)));
  if (!isError) return UNREADABLE;
  const said = named || ERRORS[code];
  const text = carrierText(said ?? 'The carrier refused the shipment.');
  return USED_BEFORE.has(code) ? { kind: 'duplicate', text } : { kind: 'rejected', code, text };
}

/**
 * Reads the reply of `ship_status_xml`; null when the carrier says that there is no such parcel. A reply
 * without a number element is an error. `nowIso` dates flags that have no time.
 */
export function readStatus(
  reply: HttpReply,
  customer: string,
  statuses: ReadonlyMap<string, StatusCode> | undefined,
  nowIso: string,
): Outcome<RunStatus | null> {
  const xml = readXml(reply);
  const number = textOf(xml, 'ship_no');
  if (xml === null || number === undefined) return refusalOf(xml) ?? UNREADABLE;
  if (/^0*$/.test(number)) return accepted(null);
  const owner = textOf(xml, 'master_customer_id');
  if (owner && owner !== customer) return accepted(null);
  if (!isParcelNumber(number)) return UNREADABLE;
  const listed = findAll(xml, 'status').flatMap((node) => eventOf(node, statuses ?? RUN_STATUSES));
  const events = happened(listed, nowIso);
  const cancelled = isYes(xml, 'ship_canceled_yn');
  const flagged: [string, StatusCode, boolean][] = [
    ['ship_delivered_yn', 'delivered', isYes(xml, 'ship_delivered_yn')],
    ['ship_canceled_yn', 'cancelled', cancelled],
  ];
  for (const [carrierCode, code, set] of flagged) {
    // The flag is the current status: add it unless it is already the newest event.
    if (!set || events.findLast((event) => event.code !== undefined)?.code === code) continue;
    const carrierDescription = carrierText(textOf(xml, 'current_stage_desc') || code);
    const last = events.at(-1)?.occurredAt ?? nowIso;
    const occurredAt = last > nowIso ? last : nowIso;
    events.push({ code, carrierCode, carrierDescription, occurredAt, location: null });
  }
  const parcel = parcelOf(number, textOf(xml, 'ship_num_rand'));
  return accepted({
    parcel,
    ownerNamed: Boolean(owner),
    cancelled,
    status: { trackingCode: number, events },
  });
}

function eventOf(node: XmlNode, statuses: ReadonlyMap<string, StatusCode>): CarrierStatus['events'] {
  const carrierCode = textOf(node, 'status_code');
  const occurredAt = israelToIso(textOf(node, 'status_date') ?? '', textOf(node, 'status_time') ?? '');
  if (carrierCode === undefined || carrierCode === '' || occurredAt === null) return [];
  const code = statuses.get(carrierCode);
  const carrierDescription = carrierText(textOf(node, 'status_desc') ?? '');
  return [{ code, carrierCode: carrierText(carrierCode), carrierDescription, occurredAt, location: null }];
}

/** Reply of `bitul_mishloah`. */
export function readCancellation(reply: HttpReply): Outcome<{ text: string }> {
  const xml = readXml(reply);
  const status = textOf(xml, 'status')?.toUpperCase();
  const text = carrierText(textOf(xml, 'status_desc') ?? '');
  if (status === 'OK') return accepted({ text });
  if (status !== 'ERROR') return UNREADABLE;
  return { kind: 'rejected', code: 'ERROR', text: text || 'The carrier refused to cancel the shipment.' };
}

/** Reads the reply of `ship_print_ws`: a PDF, or an error, also with HTTP 200. */
export function readLabel(reply: HttpReply): Outcome<Uint8Array> {
  const label = pdfOf(reply.body);
  // Labels may be far larger than XML, whose parsing blocks the process.
  if (label.kind === 'accepted' || reply.body.length > LIMITS.carriers.xmlBytes) return label;
  return refusalOf(readXml(reply)) ?? label;
}

/** The carrier's names of a point's fields, where they are not ours. */
const POINT_NAMES: Partial<Record<keyof PickupPoint, string>> = { id: 'n_code', number: 'house' };

/** Reads the reply of `ws_spotslist`, without points that accept no deliveries. */
export function readPoints(reply: XmlReply): Outcome<PickupPoint[]> {
  const xml = readXml(reply);
  const refusal = refusalOf(xml);
  if (refusal !== null) return refusal;
  if (findAll(xml, 'spots').length === 0) return UNREADABLE;
  const points = findAll(xml, 'spot_detail').flatMap((spot) => {
    const point = pointWith((field) => textOf(spot, POINT_NAMES[field] ?? field) ?? '');
    const takesParcels = carrierText(textOf(spot, 'mesirot_yn') ?? '').toLowerCase() !== 'n';
    return takesParcels && point.id !== '' ? [point] : [];
  });
  return accepted(points);
}

/** The error in the body of a reply; null when there is none. */
function refusalOf(xml: XmlNode): { kind: 'rejected'; code: string; text: string } | null {
  const result = textOf(xml, 'result');
  if (result === undefined || result.toLowerCase() === 'ok') return null;
  const text = carrierText(textOf(xml, 'message') ?? '') || 'The carrier answered with an error.';
  return { kind: 'rejected', code: carrierText(result), text };
}

/** Drops a random number that is invalid or too long for a reference: the code identifies the parcel as well. */
function parcelOf(number: string, random = ''): BookedParcel {
  const reference = carrierText(random);
  const isReference = /^.{1,64}$/u.test(reference);
  return { trackingCode: number, carrierReference: isReference ? reference : null, description: null };
}

function isParcelNumber(text: string): boolean {
  return /^[1-9]\d{0,19}$/.test(text);
}

function isYes(xml: XmlNode, name: string): boolean {
  return textOf(xml, name)?.toLowerCase() === 'y';
}
