import { type StatusCode, statusName } from '../../domain/statuses.js';

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

/** A merchant's name of a status in the language; English where there is no other. */
export function statusWords(status: StatusCode, language: string): string {
  return language === 'he' ? HEBREW_STATUSES[status] : statusName(status);
}
