import type { ShipmentEvent } from '../../domain/events.js';
import { isLanguage, type Language } from '../../domain/recipient-words/language.js';
import { TEXTS, type Texts } from '../../domain/recipient-words/words.js';

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur', 'yi']);

/** Wording that only mails use. */
interface Wording {
  /** The reason for the mail. */
  why: (merchant: string) => string;
  hello: string;
  button: string;
  /** Follows the sentence of the status. */
  closing: Partial<Record<ShipmentEvent, string>>;
}

const WORDINGS: Record<Language, Wording> = {
  en: {
    why: (merchant) => `You get this e-mail because ${merchant} has booked a shipment for you.`,
    hello: 'Hello {{ recipient.name }},',
    button: 'Follow the parcel',
    closing: {
      'shipment.delivered': 'Thank you for choosing {{ merchant.name }}.',
      'shipment.cancelled': 'If you did not expect this, please ask {{ merchant.name }}.',
    },
  },
  he: {
    why: (merchant) => `ההודעה נשלחה אליך בעקבות משלוח של ${merchant}.`,
    hello: 'שלום {{ recipient.name }},',
    button: 'למעקב אחר המשלוח',
    closing: {
      'shipment.delivered': 'תודה שבחרת ב־{{ merchant.name }}.',
      'shipment.cancelled': 'אם הדבר אינו צפוי, אפשר לפנות אל {{ merchant.name }}.',
    },
  },
  ar: {
    why: (merchant) => `وصلتك هذه الرسالة بسبب شحنة من ${merchant}.`,
    hello: 'مرحبًا {{ recipient.name }}،',
    button: 'تتبّع الطرد',
    closing: {
      'shipment.delivered': 'شكرًا لاختيارك {{ merchant.name }}.',
      'shipment.cancelled': 'إن لم تكن تتوقع ذلك، يرجى التواصل مع {{ merchant.name }}.',
    },
  },
};

/** Two-letter language of a locale such as `he-IL` or `he_IL`. */
export function languageOf(locale: string): string {
  return locale.slice(0, 2).toLowerCase();
}

/** Our language for readers of this one; English where we lack it. */
export function spokenLanguage(language: string): Language {
  return isLanguage(language) ? language : 'en';
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}

/** Why the recipient gets a mail of this merchant. */
export function whyOf(merchant: string, language: string): string {
  return WORDINGS[spokenLanguage(language)].why(merchant);
}

/** Wording of a mail. `locale`: two-letter language. */
export interface MailTemplate {
  locale: string;
  subject: string;
  body: string;
}

/**
 * Scripts without capitals. A number such as W-9000 would be all that has a case in the subject, which spam filters take
 * for shouting; the text names the order.
 */
const WITHOUT_CASE: ReadonlySet<Language> = new Set(['he', 'ar']);

/**
 * Whether all that has a case is a capital, as in Hebrew that names a shop KSP: shouting to spam filters. Such a subject
 * leaves the name out.
 */
export function shouts(subject: string): boolean {
  return /\p{Lu}/u.test(subject) && !/\p{Ll}/u.test(subject);
}

/** The built-in template of an event, in the language of merchants' templates. */
export function builtinTemplate(event: ShipmentEvent, language: Language): MailTemplate {
  const { hello, button, closing } = WORDINGS[language];
  const words = TEXTS[language];
  const last = closing[event];
  const row = (label: string, value: string) => `<tr><td class="muted">${label}</td><td>${value}</td></tr>`;
  const optional = (name: string, label: string) =>
    `{{# ${name} }}${row(label, `{{ ${name} }}`)}{{/ ${name} }}`;
  const parts = [
    '<h1>{{ shipment.status }}</h1>',
    `<p>${hello}</p>`,
    '<p>{{ shipment.status_sentence }}</p>',
    ...(last === undefined ? [] : [`<p>${last}</p>`]),
    helpLine(words.call, 'tel:', 'help.phone'),
    helpLine(words.email, 'mailto:', 'help.email'),
    `<p class="center"><a class="button" href="{{ tracking.url }}">${button}</a></p>`,
    '<table class="facts"><tbody>',
    pickupPointRow(words),
    optional('shipment.to_pay', words.toPay),
    row(words.order, '{{ order.number }}'),
    optional('shipment.tracking_code', words.trackingNumber),
    row(words.carrier, '{{ carrier.name }}'),
    '</tbody></table>',
  ];
  const subject = WITHOUT_CASE.has(language)
    ? '{{ shipment.news }}'
    : '{{ shipment.news }} ({{ order.number }})';
  return { locale: language, subject, body: parts.join('\n') };
}

/** Contact of the shop, shown first after a problem. */
function helpLine(label: string, scheme: 'tel:' | 'mailto:', name: 'help.phone' | 'help.email'): string {
  const link = `<a href="${scheme}{{ ${name} }}">{{ ${name} }}</a>`;
  return `{{# ${name} }}<p class="note">${label}: ${link}</p>{{/ ${name} }}`;
}

function pickupPointRow({ pickupPoint, showMap }: Texts): string {
  const lines = ['address', 'remarks'].map(
    (part) => `{{# pickup_point.${part} }}<br>{{ pickup_point.${part} }}{{/ pickup_point.${part} }}`,
  );
  return `{{# pickup_point.name }}<tr><td class="muted">${pickupPoint}</td><td><b>{{ pickup_point.name }}</b>${lines.join('')}<br><a href="{{ pickup_point.map_url }}">${showMap}</a></td></tr>{{/ pickup_point.name }}`;
}
