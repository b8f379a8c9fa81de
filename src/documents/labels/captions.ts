import { isLanguage, type Language } from '../../domain/recipient-words/language.js';

const ENGLISH = {
  direction: 'ltr',
  from: 'From',
  to: 'To',
  phone: 'Tel.',
  entrance: 'Ent.',
  floor: 'Floor',
  apartment: 'Apt.',
  order: 'Order',
  package: 'Package',
  cash: 'Collect',
  /** Precedes the package on which the cash is collected, such as 1/3. */
  paidWith: 'Paid with',
  urgent: 'URGENT',
  collection: 'COLLECTION',
  roundTrip: 'ROUND TRIP',
  returning: 'RETURN',
  pickupPoint: 'PICKUP POINT',
  shelf: 'Shelf',
  note: 'Note',
  /** Follows the products that fit. */
  more: (count: number) => (count === 1 ? 'and 1 more item' : `and ${count} more items`),
  track: 'Track',
  /** Printed across a label of a cancelled shipment. */
  cancelled: 'CANCELLED',
};

const HEBREW: typeof ENGLISH = {
  direction: 'rtl',
  from: 'מאת',
  to: 'אל',
  phone: 'טל׳',
  entrance: 'כניסה',
  floor: 'קומה',
  apartment: 'דירה',
  order: 'הזמנה',
  package: 'חבילה',
  cash: 'לגבייה',
  paidWith: 'שולם עם',
  urgent: 'דחוף',
  collection: 'איסוף',
  roundTrip: 'הלוך ושוב',
  returning: 'החזרה',
  pickupPoint: 'נקודת איסוף',
  shelf: 'מדף',
  note: 'הערה',
  more: (count) => (count === 1 ? 'ועוד פריט אחד' : `ועוד ${count} פריטים`),
  track: 'מעקב',
  cancelled: 'מבוטל',
};

const ARABIC: typeof ENGLISH = {
  direction: 'rtl',
  from: 'من',
  to: 'إلى',
  phone: 'هاتف',
  entrance: 'مدخل',
  floor: 'طابق',
  apartment: 'شقة',
  order: 'طلب',
  package: 'طرد',
  cash: 'للتحصيل',
  paidWith: 'مدفوع مع',
  urgent: 'عاجل',
  collection: 'استلام',
  roundTrip: 'ذهاب وإياب',
  returning: 'إرجاع',
  pickupPoint: 'نقطة استلام',
  shelf: 'رف',
  note: 'ملاحظة',
  more: moreInArabic,
  track: 'تتبع',
  cancelled: 'ملغى',
};

function moreInArabic(count: number): string {
  if (count === 1) return 'وصنف آخر';
  if (count === 2) return 'وصنفان آخران';
  const hundredth = count % 100;
  return hundredth >= 3 && hundredth <= 10 ? `و${count} أصناف أخرى` : `و${count} صنفًا آخر`;
}

/** The fixed words of a label in the merchant's language. */
export type Captions = typeof ENGLISH & { language: Language };

const CAPTIONS: Readonly<Record<Language, Captions>> = {
  en: { ...ENGLISH, language: 'en' },
  he: { ...HEBREW, language: 'he' },
  ar: { ...ARABIC, language: 'ar' },
};

/** Captions of a locale (`he`, `he-IL`, `iw`, `ar`); English for every other. */
export function captionsOf(locale: string): Captions {
  const [language = ''] = locale.toLowerCase().split(/[-_]/);
  if (language === 'iw') return CAPTIONS.he;
  return CAPTIONS[isLanguage(language) ? language : 'en'];
}
