/** The fixed words of a label, in the merchant's language. */
export interface Captions {
  language: 'en' | 'he' | 'ar';
  direction: 'ltr' | 'rtl';
  from: string;
  to: string;
  phone: string;
  entrance: string;
  floor: string;
  apartment: string;
  order: string;
  package: string;
  cash: string;
  /** Before the package whose courier collects for all of them, as 1/3. */
  paidWith: string;
  urgent: string;
  collection: string;
  roundTrip: string;
  returning: string;
  pickupPoint: string;
  shelf: string;
  note: string;
  item: string;
  items: string;
  track: string;
}

const ENGLISH: Captions = {
  language: 'en',
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
  paidWith: 'Paid with',
  urgent: 'URGENT',
  collection: 'COLLECTION',
  roundTrip: 'ROUND TRIP',
  returning: 'RETURN',
  pickupPoint: 'PICKUP POINT',
  shelf: 'Shelf',
  note: 'Note',
  item: 'item',
  items: 'items',
  track: 'Track',
};

const HEBREW: Captions = {
  language: 'he',
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
  item: 'פריט',
  items: 'פריטים',
  track: 'מעקב',
};

const ARABIC: Captions = {
  language: 'ar',
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
  item: 'صنف',
  items: 'أصناف',
  track: 'تتبع',
};

/** Captions of a locale (`he`, `he-IL`, `iw`, `ar`); English for every other. */
export function captionsOf(locale: string): Captions {
  const language = locale.toLowerCase().split(/[-_]/)[0];
  if (language === 'he' || language === 'iw') return HEBREW;
  return language === 'ar' ? ARABIC : ENGLISH;
}
