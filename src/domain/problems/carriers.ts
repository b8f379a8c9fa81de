import type { RuleWords } from './words.js';

/** Rules of carriers for what they book, and refusals about shipments. */
export const CARRIER_RULES = {
  carrier_requires: {
    api: 'is required by the carrier',
    he: 'המוביל דורש את השדה הזה.',
    ar: 'الناقل يطلب هذا الحقل.',
  },
  carrier_most: {
    api: 'The carrier takes at most {limit} characters in {field}.',
    he: 'המוביל מקבל כאן עד {limit} תווים.',
    ar: 'يقبل الناقل هنا حتى {limit} حرفاً.',
  },
  carrier_least: {
    api: 'The carrier needs at least {limit} characters in {field}.',
    he: 'המוביל צריך כאן לפחות {limit} תווים.',
    ar: 'يحتاج الناقل هنا إلى {limit} حرف على الأقل.',
  },
  carrier_address: {
    api: 'The address is too long for the carrier, even with its notes; the longest part is {other}.',
    he: 'הכתובת ארוכה מדי למוביל, גם עם ההערות; החלק הארוך ביותר הוא {other}.',
    ar: 'العنوان أطول مما يقبله الناقل، حتى مع الملاحظات؛ أطول جزء هو {other}.',
  },
  carrier_door: {
    api: 'The carrier takes at most {street} characters of street and number, and {rest} of the rest of the address.',
    he: 'המוביל מקבל עד {street} תווים של רחוב ומספר, ועד {rest} של שאר הכתובת.',
    ar: 'يقبل الناقل حتى {street} حرفاً للشارع والرقم، و{rest} لبقية العنوان.',
  },
  carrier_packages: {
    api: 'The carrier takes at most {limit} packages.',
    he: 'המוביל מקבל עד {limit} חבילות.',
    ar: 'يقبل الناقل حتى {limit} طرود.',
  },
  carrier_one_package: {
    api: 'The carrier takes one package a delivery.',
    he: 'המוביל מקבל חבילה אחת למשלוח.',
    ar: 'يقبل الناقل طرداً واحداً لكل توصيل.',
  },
  account_without_points: {
    api: 'The carrier account has no pickup point service.',
    he: 'לחשבון אצל המוביל אין שירות של נקודות איסוף.',
    ar: 'ليس لحساب الناقل خدمة نقاط استلام.',
  },
  carrier_unknown_point: {
    api: 'The carrier has no such pickup point.',
    he: 'למוביל אין נקודת איסוף כזאת.',
    ar: 'ليس للناقل نقطة استلام كهذه.',
  },
  carrier_without_points: {
    api: 'The carrier has no pickup points.',
    he: 'למוביל אין נקודות איסוף.',
    ar: 'ليس للناقل نقاط استلام.',
  },
  named_carrier_without_points: {
    api: '{carrier} has no pickup points.',
    he: 'ל-{carrier} אין נקודות איסוף.',
    ar: 'ليس لدى {carrier} نقاط استلام.',
  },
  carrier_point_address: {
    api: 'The carrier has no list of pickup points: ship_data.pickup_address must say where the point is.',
    en: 'The carrier has no list of pickup points, and nothing says where this one is.',
    he: 'למוביל אין רשימה של נקודות איסוף, ולא נאמר איפה הנקודה הזאת.',
    ar: 'ليس للناقل قائمة بنقاط الاستلام، ولا شيء يقول أين هذه النقطة.',
  },
  carrier_collects_at_addresses: {
    api: 'The carrier collects at addresses only.',
    he: 'המוביל אוסף מכתובות בלבד.',
    ar: 'يجمع الناقل من عناوين فقط.',
  },
  carrier_collects_from_venue: {
    api: 'The carrier collects from the venue only.',
    he: 'המוביל אוסף מהעסק בלבד.',
    ar: 'يجمع الناقل من المتجر فقط.',
  },
  license_without_address: {
    api: 'The license has no address for collected parcels.',
    he: 'ברישיון אין כתובת לחבילות שנאספות.',
    ar: 'ليس في الرخصة عنوان للطرود التي تُجمع.',
  },
  carrier_comes_today: {
    api: 'The carrier only comes on the day of the booking.',
    he: 'המוביל מגיע רק ביום ההזמנה.',
    ar: 'يأتي الناقل في يوم الحجز فقط.',
  },
  carrier_comes_at_once: {
    api: 'The carrier comes at once: a later day needs a time slot in the settings.',
    he: 'המוביל מגיע מיד: ליום מאוחר יותר צריך חלון זמן בהגדרות.',
    ar: 'يأتي الناقل فوراً: اليوم اللاحق يحتاج إلى نافذة زمنية في الإعدادات.',
  },
  account_without_cash: {
    api: 'The carrier account has no cash on delivery service.',
    he: 'לחשבון אצל המוביל אין שירות גבייה.',
    ar: 'ليس لحساب الناقل خدمة تحصيل نقدي.',
  },
  carrier_without_cash: {
    api: 'The carrier collects no cash.',
    he: 'המוביל אינו גובה מזומן.',
    ar: 'لا يحصّل الناقل نقداً.',
  },
  carrier_currency: {
    api: 'The carrier collects ILS only.',
    he: 'המוביל גובה שקלים בלבד.',
    ar: 'يحصّل الناقل بالشيكل فقط.',
  },
  account_without_round_trips: {
    api: 'The carrier account has no round trip service.',
    he: 'לחשבון אצל המוביל אין שירות הלוך ושוב.',
    ar: 'ليس لحساب الناقل خدمة ذهاب وإياب.',
  },
  carrier_without_round_trips: {
    api: 'The carrier has no round trips.',
    he: 'למוביל אין הלוך ושוב.',
    ar: 'ليس للناقل ذهاب وإياب.',
  },
  carrier_cuts_note: {
    api: "The note is longer than the carrier's field: the courier gets its beginning, and the label has it in full.",
    he: 'ההערה ארוכה מהשדה של חברת השליחויות: השליח מקבל את תחילתה, והיא מופיעה במלואה על התווית.',
    ar: 'الملاحظة أطول من حقل شركة الشحن: يصل أولها إلى المندوب، وتظهر كاملة على الملصق.',
  },
  order_ships_again: {
    api: 'The order already has an active shipment of this service type: {uuid}. This one would be a second parcel.',
    en: 'The order has an active shipment of this kind already. This one would be a second parcel.',
    he: 'להזמנה כבר יש משלוח פעיל מהסוג הזה. זו תהיה חבילה שנייה.',
    ar: 'للطلب شحنة نشطة من هذا النوع. ستكون هذه طرداً ثانياً.',
  },
  pickup_point_unchecked: {
    api: 'The list of pickup points is missing or old: the carrier decides whether the point exists.',
    he: 'רשימת נקודות האיסוף חסרה או ישנה: המוביל קובע אם הנקודה קיימת.',
    ar: 'قائمة نقاط الاستلام ناقصة أو قديمة: الناقل يقرر إن كانت النقطة موجودة.',
  },
} as const satisfies Record<string, RuleWords>;
