import type { StatusCode } from '../../../domain/statuses.js';
import type { en } from './en.js';

const TYPES = {
  string: 'מחרוזת',
  integer: 'מספר שלם',
  number: 'מספר',
  boolean: 'אמת או שקר',
  array: 'מערך',
  object: 'מערך',
} as const;

const UNREADABLE = {
  type: 'הכותרת Content-Type חייבת להיות application/json או application/x-www-form-urlencoded.',
  coding: 'יש לשלוח אותו ללא Content-Encoding.',
  charset: 'הוא חייב להיות בקידוד UTF-8.',
  json: 'הוא אינו אובייקט JSON תקין.',
  depth: 'הקינון שלו עמוק מדי.',
} as const;

const STATUSES: Readonly<Record<StatusCode, string>> = {
  pending: 'בהמתנה',
  needs_attention: 'דורש טיפול',
  created: 'נוצר',
  collected: 'נאסף',
  in_transit: 'בדרך',
  at_pickup_point: 'ממתין בנקודת איסוף',
  out_for_delivery: 'יצא למסירה',
  delivery_failed: 'המסירה לא הצליחה',
  returning: 'בדרך חזרה',
  delivered: 'נמסר',
  returned: 'הוחזר לשולח',
  cancelled: 'בוטל',
  lost: 'אבד',
};

export const he: typeof en = {
  required: (field) => `השדה ${field} הוא חובה.`,
  wrongType: (field, type) => `השדה ${field} חייב להיות ${TYPES[type]}.`,
  tooLong: (field, max) => `השדה ${field} לא יכול להכיל יותר מ-${max} תווים.`,
  tooShort: (field, min) => `השדה ${field} חייב להכיל לפחות ${min} תווים.`,
  tooSmall: (field, min) => `השדה ${field} חייב להיות לפחות ${min}.`,
  tooLarge: (field, max) => `השדה ${field} לא יכול להיות גדול מ-${max}.`,
  tooHeavy: (field, maxKib) => `השדה ${field} לא יכול להיות גדול מ-${maxKib} קילובייט.`,
  tooMany: (field, max) => `השדה ${field} לא יכול להכיל יותר מ-${max} פריטים.`,
  tooManyPackages: (field, max, found) =>
    `השדה ${field} לא יכול להכיל יותר מ-${max} חבילות בסך הכול; יש בו ${found}.`,
  tooFew: (field, min) => `השדה ${field} חייב להכיל לפחות ${min} פריטים.`,
  notListed: (field) => `הערך שנבחר בשדה ${field} אינו תקין.`,
  notADayToCome: (field) => `השדה ${field} חייב להיות יום מאתמול ועד 90 יום קדימה.`,
  notAPhone: (field) => `השדה ${field} חייב להכיל מספר שאפשר לחייג.`,
  notADate: (field) => `השדה ${field} חייב להיות תאריך תקין.`,
  taken: (field) => `הערך בשדה ${field} כבר תפוס.`,
  invalid: (field) => `השדה ${field} אינו תקין.`,
  andMore: (more) => (more === 1 ? ' (ועוד שגיאה אחת)' : ` (ועוד ${more} שגיאות)`),
  unreadableBody: (why) => `לא ניתן לקרוא את גוף הבקשה: ${UNREADABLE[why]}`,

  unauthenticated: 'נדרשת הזדהות.',
  tooManyAttempts: 'יותר מדי ניסיונות.',
  serverError: 'שגיאת שרת',
  serviceUnavailable: 'השירות אינו זמין',
  payloadTooLarge: 'גוף הבקשה גדול מדי.',
  routeNotFound: (path) => `הנתיב ${path} לא נמצא.`,
  methodNotAllowed: (method, path, allowed) =>
    `השיטה ${method} אינה נתמכת בנתיב ${path}. שיטות נתמכות: ${allowed}.`,

  invalidLicenseKey: 'מפתח רישיון לא תקין',
  licenseDeactivated: 'מפתח הרישיון הושבת',
  licenseValid: 'מפתח הרישיון תקין',
  premiumUnsupported: 'חברות פרימיום אינן נתמכות בגרסה זו של התוסף',
  premiumRequired: 'יש להיות מנוי פרימיום כדי להשתמש בחברה זו',
  notSupportedForProvider: 'לא נתמך עבור ספק זה',
  invalidAppSecret: 'מפתח סודי לא תקין',
  userNotFound: 'המשתמש לא נמצא',
  blockedStatus: (status) => `הזמנות בסטטוס ${status} אינן נשלחות.`,
  destinationCityRequired: 'חובה לציין את עיר היעד.',
  carrierSilent: 'חברת המשלוחים טרם השיבה. יש לשלוח את הבקשה שוב כדי לקבל את התוצאה.',
  cancelledRepeat: (time) => `המשלוח הזה בוטל ולא יבוא שליח. אפשר ליצור משלוח חדש להזמנה אחרי ${time}.`,
  noteCut: 'ההערה ארוכה מהשדה של חברת השליחויות: השליח מקבל את תחילתה, והיא מופיעה במלואה על התווית.',
  unknownCountry: (country) =>
    `המדינה בהזמנה, ${country}, אינה מוכרת לנו: היא נמסרת לחברת השליחויות כמות שהיא.`,
  gift: 'מתנה',

  previousPage: '&laquo; הקודם',
  nextPage: 'הבא &raquo;',
  status: (code) => STATUSES[code],
  statusUpdated: 'הסטטוס עודכן',
  shipmentNotFound: 'המשלוח לא נמצא',
  shipmentEnded: 'המשלוח הסתיים ולא ניתן לבטל אותו',
  cancellationOpen: 'חברת המשלוחים טרם השיבה לבקשת הביטול',
  carrierUnanswered: 'חברת המשלוחים לא השיבה',
  unknownToCarrier: 'המשלוח אינו מוכר לחברת המשלוחים',
  orderNotFound: 'ההזמנה לא נמצאה',
  noActiveShipments: 'לא נמצאו משלוחים פעילים להזמנה זו',
  noShipments: (codes) => `לא נמצאו משלוחים: ${codes.join(', ')}`,
  noCarrierLabel: 'תשובה לא תקינה מחברת המשלוחים',
  cityNotListed: (city) => `העיר ${city} אינה ברשימת היישובים`,
  quoteFailed: 'שגיאה בקבלת הצעת מחיר',
  deliveryAreaClosed: 'אזור המשלוחים יהיה סגור במועד המבוקש',
};
