import type { TrackedParcel } from '../../../db/queries/shipments/tracking.js';
import { isColor } from '../../../domain/brand-color.js';
import { moneyText } from '../../../domain/money.js';
import { isAwaited, type PublicStatus, publicStatus } from '../../../domain/recipient-words/public-status.js';
import type { StatusEvent } from '../../../domain/shipment.js';

/** A step of the parcel's history, without the carrier's words, which may name people. */
type TrackedStep = Pick<StatusEvent, 'code' | 'occurredAt'>;

/** The look of a status: going well, done, needing action, or ended otherwise. */
type Tone = 'active' | 'done' | 'problem' | 'ended';

/** Ways to reach the merchant; each address is safe to link to. */
interface Contact {
  kind: 'call' | 'whatsapp' | 'email' | 'website';
  label: string;
  href: string;
}

const TONES: Partial<Record<PublicStatus, Tone>> = {
  delivered: 'done',
  delivery_failed: 'problem',
  returning: 'problem',
  returned: 'ended',
  cancelled: 'ended',
  lost: 'ended',
};

const REACHED: Partial<Record<PublicStatus, 1 | 2 | 3 | 4>> = {
  preparing: 1,
  awaiting_collection: 1,
  collected: 2,
  in_transit: 2,
  at_pickup_point: 3,
  out_for_delivery: 3,
  delivery_failed: 3,
  delivered: 4,
};

/** The content of a parcel's page, before translation. `baseUrl` makes a logo of our own host absolute. */
export function viewOf(parcel: TrackedParcel, history: readonly TrackedStep[], baseUrl: string) {
  const { merchant, carrier, pickupPoint, packages, trackingCode, deliveredAt } = parcel;
  const status = publicStatus(parcel.status, parcel.serviceType);
  return {
    status,
    tone: TONES[status] ?? 'active',
    /** Reached steps of four; null for a parcel off the straight path. */
    reached: REACHED[status] ?? null,
    steps: stepsOf(parcel, history),
    trackingCode,
    carrier,
    orderNumber: parcel.orderNumber === '' ? null : parcel.orderNumber,
    /** Cash to have ready. */
    toPay: parcel.cod !== null && isAwaited(status) ? moneyText(parcel.cod) : null,
    isCollection: parcel.serviceType === 2,
    city: pickupPoint === null ? parcel.city : pickupPoint.city || null,
    pickupPoint,
    /** Whether the recipient collects the parcel. */
    isFetched: pickupPoint !== null || status === 'at_pickup_point',
    packages,
    deliveredAt,
    company: merchant.name.trim(),
    /** An allowed image address; null for none. */
    logo: imageUrl(merchant.logo, baseUrl),
    /** The merchant's color, `#rrggbb`; null for the standard one. */
    color: isColor(merchant.color) ? merchant.color : null,
    contacts: contactsOf(merchant),
    hours: infoText(merchant, 'hours'),
  };
}

export type TrackingView = ReturnType<typeof viewOf>;

/** Newest first; equal neighbours are merged at the earliest time. */
function stepsOf(parcel: TrackedParcel, history: readonly TrackedStep[]) {
  const steps: { status: PublicStatus; at: string }[] = [];
  const all = history.length === 0 ? [{ code: parcel.status, occurredAt: parcel.createdAt }] : history;
  for (const { code, occurredAt } of all) {
    const status = publicStatus(code, parcel.serviceType);
    if (steps.at(-1)?.status !== status) steps.push({ status, at: occurredAt });
  }
  return steps.reverse();
}

/** The page's own contact details take precedence over the account's. */
function contactsOf(merchant: TrackedParcel['merchant']): Contact[] {
  const phone = infoText(merchant, 'phone') ?? merchant.phone;
  const whatsapp = infoText(merchant, 'whatsapp') ?? '';
  const email = infoText(merchant, 'email') ?? merchant.email;
  const website = infoText(merchant, 'website') ?? '';
  const found: (Contact | null)[] = [
    linkTo('call', phone, phoneDigits(phone, '+'), 'tel:'),
    linkTo('whatsapp', whatsapp, internationalDigits(whatsapp), 'https://wa.me/'),
    linkTo('email', email, /^[^\s@<>"]+@[^\s@<>"]+$/.test(email) ? encodeURI(email) : '', 'mailto:'),
    websiteOf(website),
  ];
  return found.filter((contact) => contact !== null);
}

function linkTo(kind: Contact['kind'], label: string, target: string, prefix: string): Contact | null {
  return target === '' ? null : { kind, label: label.trim(), href: prefix + target };
}

function websiteOf(text: string): Contact | null {
  const url = webUrl(text);
  return url === null ? null : { kind: 'website', label: url.host, href: url.href };
}

/** Digits of a number that people may dial; empty where there are too few. */
function phoneDigits(text: string, plus: '+' | ''): string {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 3 || digits.length > 15) return '';
  return text.trim().startsWith('+') ? plus + digits : digits;
}

/** WhatsApp needs the country code, which is added to a local Israeli number. */
function internationalDigits(text: string): string {
  const digits = phoneDigits(text, '');
  return text.trim().startsWith('+') ? digits : digits.replace(/^0(?=[1-9])/, '972');
}

function infoText(merchant: TrackedParcel['merchant'], key: string): string | null {
  const value =
    merchant.contactInfo === null
      ? undefined
      : Object.entries(merchant.contactInfo).find(([k]) => k === key)?.[1];
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 500) : null;
}

/** A logo on the web, on our own host, or within its address. Images run no scripts, SVG included. */
function imageUrl(logo: string, baseUrl: string): string | null {
  if (/^data:image\/(?:svg\+xml|png|jpeg|gif|webp)[;,]/.test(logo)) return logo;
  return webUrl(logo.startsWith('/') ? baseUrl + logo : logo)?.href ?? null;
}

function webUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url : null;
}
