import { SHIPMENT_EVENTS, type ShipmentEvent } from '../../domain/events.js';
import { parseBody, parseSubject } from '../../domain/mail-template/parse.js';
import type { TemplateValues } from '../../domain/mail-template/placeholders.js';
import { renderHtml, renderLine, renderText } from '../../domain/mail-template/render.js';
import { moneyText } from '../../domain/money.js';
import type { MailData } from '../../domain/notifications.js';
import { publicCarrierName } from '../../domain/recipient-words/carrier-names.js';
import { isLanguage, LANGUAGES } from '../../domain/recipient-words/language.js';
import { mapUrl, placeAddress } from '../../domain/recipient-words/pickup-place.js';
import { isAwaited, needsShop, publicStatus } from '../../domain/recipient-words/public-status.js';
import { TEXTS } from '../../domain/recipient-words/words.js';
import { mailsUrl, trackingUrl } from '../../domain/tracking-url.js';
import { framed, type RenderedMail } from './frame.js';
import { builtinTemplate, languageOf, type MailTemplate, shouts, spokenLanguage, whyOf } from './wording.js';

/** Every built-in template: each event in each language. */
export function builtinTemplates(): (MailTemplate & { event: ShipmentEvent })[] {
  return SHIPMENT_EVENTS.flatMap((event) =>
    LANGUAGES.map((locale) => ({ event, ...builtinTemplate(event, locale) })),
  );
}

/**
 * Chooses by language: the merchant's template, else ours; if we lack the language, the merchant's English one,
 * else ours. `own`: the license's templates for the event.
 */
export function chooseTemplate<T extends MailTemplate>(
  own: readonly T[],
  event: ShipmentEvent,
  locale: string,
): T | MailTemplate {
  const language = languageOf(locale);
  const found = own.find((one) => one.locale === language);
  if (found !== undefined) return found;
  if (isLanguage(language)) return builtinTemplate(event, language);
  return own.find((one) => one.locale === 'en') ?? builtinTemplate(event, 'en');
}

/**
 * Renders a mail about a shipment. `baseUrl`: public address of the API, without a trailing slash. @throws
 * TemplateError for a template that should not have been stored.
 */
export function renderMail(template: MailTemplate, mailData: MailData, baseUrl: string): RenderedMail {
  const language = languageOf(template.locale);
  const values = valuesOf(mailData, language, baseUrl);
  const body = parseBody(template.body);
  const subject = [...renderLine(parseSubject(template.subject), values)].slice(0, 250).join('');
  const { merchant } = mailData;
  return framed({
    language,
    subject,
    html: renderHtml(body, values),
    text: renderText(body, values),
    merchant,
    why: whyOf(merchant.name, language),
    stopUrl: mailsUrl(baseUrl, mailData.shipment.shortTrackingCode),
  });
}

function valuesOf(mailData: MailData, language: string, baseUrl: string): TemplateValues {
  const { recipient, shipment, order, merchant } = mailData;
  const spoken = spokenLanguage(language);
  const { statuses, parcel } = TEXTS[spoken];
  const status = publicStatus(shipment.status, shipment.serviceType);
  const place = isAwaited(status) ? shipment.pickupPoint : null;
  const { title, text, news } = statuses[status];
  const named = (shipment.serviceType === 2 ? parcel.to : parcel.from).replace('{shop}', () => merchant.name);
  // The sender's name has the shop too.
  const subject = shouts(named) ? parcel.alone : named;
  const cod = shipment.cod === null ? '' : moneyText(shipment.cod);
  return {
    'recipient.name': recipient.name,
    'recipient.company': recipient.company,
    'recipient.city': recipient.city,
    'shipment.tracking_code': shipment.trackingCode,
    'shipment.status': title,
    'shipment.status_sentence': text,
    'shipment.news': news.replace('{parcel}', () => subject),
    'shipment.status_text': shipment.statusText,
    'shipment.packages': String(shipment.packages),
    'shipment.pickup_point_id': shipment.pickupPointId,
    'shipment.cod': cod,
    'shipment.to_pay': isAwaited(status) ? cod : '',
    'pickup_point.name': place?.name ?? '',
    'pickup_point.address': place === null ? '' : placeAddress(place),
    'pickup_point.remarks': place?.remarks ?? '',
    'pickup_point.map_url': place === null ? '' : mapUrl(place),
    'order.id': order.id,
    'order.number': order.number,
    'order.total': moneyText({ amount: order.total, currency: order.currency }),
    'carrier.name': publicCarrierName(mailData.carrier, spoken),
    'tracking.url': trackingUrl(baseUrl, shipment.shortTrackingCode),
    'merchant.name': merchant.name,
    'merchant.email': merchant.email,
    'merchant.phone': merchant.phone,
    'help.email': needsShop(status) ? merchant.email : '',
    'help.phone': needsShop(status) ? merchant.phone : '',
  };
}

const SAMPLE_RECIPIENTS = {
  en: { name: 'Dana Levi', company: 'Levi Studio', city: 'Haifa' },
  he: { name: 'דנה לוי', company: 'סטודיו לוי', city: 'חיפה' },
  ar: { name: 'دانا خوري', company: 'استوديو خوري', city: 'حيفا' },
} as const;

/** Sample data for a preview without a shipment. */
export function sampleMailData(locale: string, merchant: MailData['merchant']): MailData {
  const language = spokenLanguage(languageOf(locale));
  return {
    recipient: SAMPLE_RECIPIENTS[language],
    shipment: {
      trackingCode: '74100231',
      shortTrackingCode: '7K2M9QX4TB',
      status: 'out_for_delivery',
      serviceType: 1,
      statusText: TEXTS[language].statuses.out_for_delivery.text,
      packages: 2,
      pickupPointId: '',
      pickupPoint: null,
      cod: { amount: '120.00', currency: 'ILS' },
    },
    order: { id: '1001', number: '#1001', total: '249.90', currency: 'ILS' },
    carrier: { provider: 'run', name: 'Run' },
    merchant,
  };
}
