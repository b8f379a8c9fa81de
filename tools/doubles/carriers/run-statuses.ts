import { RUN_STATUSES } from '../../../src/carriers/run/replies.js';
import type { StatusCode } from '../../../src/domain/statuses.js';
import { type SandboxStatuses, statusesOf } from './statuses.js';

/** The carrier reports a cancellation by a separate flag. */
export const CANCELLED_FLAG = 'ship_canceled_yn';

/** Statuses for which Focus has no number; a license must define these merchant codes. */
const OF_MERCHANT: readonly (readonly [string, StatusCode])[] = [
  ['35', 'at_pickup_point'],
  ['45', 'returning'],
  ['90', 'lost'],
];

const TEXTS = {
  '5': 'המשלוח נקלט במערכת',
  '7': 'הועבר לסניף להמשך טיפול',
  '10': 'נאסף מהשולח',
  '20': 'בדרך למרכז המיון',
  '30': 'יצא לחלוקה עם השליח',
  '35': 'ממתין לאיסוף בנקודת המסירה',
  '40': 'נמסר ליעדו',
  '45': 'בדרך חזרה לשולח',
  '50': 'הוחזר לשולח',
  '60': 'לא נמסר, אין מענה',
  '90': 'המשלוח לא אותר, החיפוש הסתיים',
  [CANCELLED_FLAG]: 'המשלוח בוטל',
};

/** Statuses of a merchant of the pickup network. */
export const runStatuses: SandboxStatuses = {
  known: statusesOf([...RUN_STATUSES, ...OF_MERCHANT, [CANCELLED_FLAG, 'cancelled']], TEXTS),
  others: { pattern: /^\d{1,4}$/, description: 'any other number of up to four digits' },
};

/** The `statuses` setting for this merchant: every number and its meaning. */
export function merchantStatuses(): Record<string, string> {
  const numbered = runStatuses.known.filter(({ word }) => word !== CANCELLED_FLAG);
  return Object.fromEntries(numbered.map(({ word, means }) => [word, means]));
}

const REFUSALS: Readonly<Record<string, string>> = {
  '100': 'שם העיר לא נמצא במערכת',
  '200': 'שם הרחוב לא נמצא בעיר',
  '300': 'נקודת היעד שגויה',
  '400': 'נקודת המקור שגויה',
  '500': 'מספר האסמכתא כבר קיים במערכת',
  '600': 'האסמכתא השנייה כבר קיימת במערכת',
  '700': 'כיוון המשלוח שגוי',
  '800': 'שם המקבל חסר או שגוי',
  '900': 'נקודת האיסוף לא נמצאה',
  '1000': 'נקודת האיסוף אינה בעיר שצוינה',
  '1200': 'מספר החבילות גדול מהמותר',
  '1300': 'מספר החבילות גדול מהמותר',
  '1500': 'הלקוח אינו מורשה לשדר משלוחים',
  '1600': 'לא נמצא מחיר לאזור',
  '1700': 'לא נמצא מחיר לזמן האספקה',
  '1800': 'הכתובת שגויה',
};

/** The carrier's text for a booking's error code. */
export function refusalText(code: string): string {
  return REFUSALS[code] ?? 'המשלוח לא נקלט';
}
