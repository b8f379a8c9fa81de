import type { ShipmentEvent } from '../../domain/events.js';
import { type StatusCode, statusName } from '../../domain/statuses.js';

/** Languages that we have mails in. */
export const MAIL_LOCALES = ['en', 'he'] as const;

/** One of {@link MAIL_LOCALES}. */
export type MailLocale = (typeof MAIL_LOCALES)[number];

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur', 'yi']);

const HEBREW_STATUSES: Record<StatusCode, string> = {
  pending: 'ממתין',
  needs_attention: 'בטיפול',
  created: 'נוצר',
  collected: 'נאסף',
  in_transit: 'בדרך',
  at_pickup_point: 'ממתין בנקודת האיסוף',
  out_for_delivery: 'יצא לחלוקה',
  delivery_failed: 'ניסיון המסירה לא הצליח',
  returning: 'בדרך חזרה לשולח',
  delivered: 'נמסר',
  returned: 'הוחזר לשולח',
  cancelled: 'בוטל',
  lost: 'אבד',
};

/** Words around a merchant's text. */
export interface FrameWords {
  questions: string;
  why: (merchant: string) => string;
}

const FRAMES: Record<MailLocale, FrameWords> = {
  en: {
    questions: 'Questions?',
    why: (merchant) => `You get this e-mail because ${merchant} is sending you a parcel.`,
  },
  he: {
    questions: 'שאלות?',
    why: (merchant) => `ההודעה נשלחה אליך בעקבות משלוח מ-${merchant}.`,
  },
};

interface Wording {
  subject: string;
  title: string;
  lines: readonly string[];
}

interface Labels {
  hello: string;
  button: string;
  order: string;
  status: string;
  trackingCode: string;
  carrier: string;
  pickupPoint: string;
  cod: string;
}

const LABELS: Record<MailLocale, Labels> = {
  en: {
    hello: 'Hello {{ recipient.name }},',
    button: 'Follow the parcel',
    order: 'Order',
    status: 'Status',
    trackingCode: 'Tracking code',
    carrier: 'Carrier',
    pickupPoint: 'Pickup point',
    cod: 'To pay on delivery',
  },
  he: {
    hello: 'שלום {{ recipient.name }},',
    button: 'למעקב אחר המשלוח',
    order: 'הזמנה',
    status: 'מצב',
    trackingCode: 'מספר מעקב',
    carrier: 'חברת השליחויות',
    pickupPoint: 'נקודת איסוף',
    cod: 'לתשלום במסירה',
  },
};

const WORDINGS: Record<MailLocale, Record<ShipmentEvent, Wording>> = {
  en: {
    'shipment.created': {
      subject: '{{ merchant.name }}: your order {{ order.number }} is booked with {{ carrier.name }}',
      title: 'Your parcel is booked',
      lines: [
        '{{ merchant.name }} has booked the shipment of your order {{ order.number }} with {{ carrier.name }}.',
        'You can follow it at any time.',
      ],
    },
    'shipment.status_changed': {
      subject: '{{ merchant.name }}: order {{ order.number }}: {{ shipment.status }}',
      title: '{{ shipment.status }}',
      lines: ['There is news about the shipment of your order {{ order.number }}: {{ shipment.status }}.'],
    },
    'shipment.delivered': {
      subject: '{{ merchant.name }}: your order {{ order.number }} has arrived',
      title: 'Your parcel has arrived',
      lines: [
        'The shipment of your order {{ order.number }} was delivered.',
        'Thank you for choosing {{ merchant.name }}.',
      ],
    },
    'shipment.cancelled': {
      subject: '{{ merchant.name }}: the shipment of order {{ order.number }} was cancelled',
      title: 'The shipment was cancelled',
      lines: [
        'The shipment of your order {{ order.number }} was cancelled and will not reach you.',
        'If you did not expect this, please ask {{ merchant.name }}.',
      ],
    },
  },
  he: {
    'shipment.created': {
      subject: '{{ merchant.name }}: המשלוח של הזמנה {{ order.number }} נרשם אצל {{ carrier.name }}',
      title: 'המשלוח שלך נרשם',
      lines: [
        'המשלוח של הזמנה {{ order.number }} מ-{{ merchant.name }} נמסר לטיפול {{ carrier.name }}.',
        'אפשר לעקוב אחריו בכל עת.',
      ],
    },
    'shipment.status_changed': {
      subject: '{{ merchant.name }}: הזמנה {{ order.number }}: {{ shipment.status }}',
      title: '{{ shipment.status }}',
      lines: ['יש עדכון במשלוח של הזמנה {{ order.number }}: {{ shipment.status }}.'],
    },
    'shipment.delivered': {
      subject: '{{ merchant.name }}: הזמנה {{ order.number }} נמסרה',
      title: 'המשלוח נמסר',
      lines: ['המשלוח של הזמנה {{ order.number }} נמסר.', 'תודה שבחרת ב-{{ merchant.name }}.'],
    },
    'shipment.cancelled': {
      subject: '{{ merchant.name }}: המשלוח של הזמנה {{ order.number }} בוטל',
      title: 'המשלוח בוטל',
      lines: [
        'המשלוח של הזמנה {{ order.number }} בוטל ולא יגיע אליך.',
        'אם הדבר אינו צפוי, אפשר לפנות אל {{ merchant.name }}.',
      ],
    },
  },
};

/** Language of a locale such as `he-IL` or `he_IL`: two lower-case letters. */
export function languageOf(locale: string): string {
  return locale.slice(0, 2).toLowerCase();
}

/** Whether there are built-in mails in the language. */
export function isMailLocale(language: string): language is MailLocale {
  return MAIL_LOCALES.some((locale) => locale === language);
}

/** Writing direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr';
}

/** Name of a status in the language; English where we have no other. */
export function statusWords(status: StatusCode, language: string): string {
  return language === 'he' ? HEBREW_STATUSES[status] : statusName(status);
}

/** Words around the text in the language; English where we have no other. */
export function frameWords(language: string): FrameWords {
  return FRAMES[isMailLocale(language) ? language : 'en'];
}

/** The built-in template of an event, in the language that merchants write theirs in. */
export function builtinTemplate(event: ShipmentEvent, locale: MailLocale): { subject: string; body: string } {
  const { subject, title, lines } = WORDINGS[locale][event];
  const words = LABELS[locale];
  const row = (label: string, value: string) => `<tr><td class="muted">${label}</td><td>${value}</td></tr>`;
  const optional = (name: string, label: string) =>
    `{{# ${name} }}${row(label, `{{ ${name} }}`)}{{/ ${name} }}`;
  const parts = [
    `<h1>${title}</h1>`,
    `<p>${words.hello}</p>`,
    ...lines.map((line) => `<p>${line}</p>`),
    `<p class="center"><a class="button" href="{{ tracking.url }}">${words.button}</a></p>`,
    '<table class="facts"><tbody>',
    row(words.order, '{{ order.number }}'),
    ...(event === 'shipment.created' ? [] : [row(words.status, '{{ shipment.status }}')]),
    optional('shipment.tracking_code', words.trackingCode),
    row(words.carrier, '{{ carrier.name }}'),
    ...(event === 'shipment.created' || event === 'shipment.status_changed'
      ? [optional('shipment.pickup_point_id', words.pickupPoint), optional('shipment.cod', words.cod)]
      : []),
    '</tbody></table>',
  ];
  return { subject, body: parts.join('\n') };
}
