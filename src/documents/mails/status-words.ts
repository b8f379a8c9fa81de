import type { Language } from '../../domain/recipient-words/language.js';
import { type StatusCode, statusName } from '../../domain/statuses.js';

type Names = Readonly<Record<StatusCode, string>>;

const HEBREW: Names = {
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

const ARABIC: Names = {
  pending: 'قيد الانتظار',
  needs_attention: 'قيد المعالجة',
  created: 'تم الإنشاء',
  collected: 'لدى شركة الشحن',
  in_transit: 'في الطريق',
  at_pickup_point: 'بانتظار الاستلام في نقطة الاستلام',
  out_for_delivery: 'خرج للتوصيل',
  delivery_failed: 'لم تنجح محاولة التسليم',
  returning: 'في طريق العودة إلى المرسل',
  delivered: 'تم التسليم',
  returned: 'أُعيد إلى المرسل',
  cancelled: 'أُلغي',
  lost: 'مفقود',
};

/** A status in the merchant's language. */
export function statusWords(status: StatusCode, language: Language): string {
  if (language === 'en') return statusName(status);
  return (language === 'he' ? HEBREW : ARABIC)[status];
}
