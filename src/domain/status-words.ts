import type { Language } from './recipient-words/language.js';
import type { StatusCode } from './statuses.js';

type Names = Readonly<Record<StatusCode, string>>;

const ENGLISH: Names = {
  pending: 'Pending',
  needs_attention: 'Needs attention',
  created: 'Created',
  collected: 'Collected',
  in_transit: 'In transit',
  at_pickup_point: 'At pickup point',
  out_for_delivery: 'Out for delivery',
  delivery_failed: 'Delivery failed',
  returning: 'Returning',
  delivered: 'Delivered',
  returned: 'Returned',
  cancelled: 'Cancelled',
  lost: 'Lost',
};

const HEBREW: Names = {
  pending: 'ממתין',
  needs_attention: 'דורש טיפול',
  created: 'נוצר',
  collected: 'נאסף',
  in_transit: 'בדרך',
  at_pickup_point: 'בנקודת איסוף',
  out_for_delivery: 'יצא לחלוקה',
  delivery_failed: 'המסירה נכשלה',
  returning: 'בדרך חזרה',
  delivered: 'נמסר',
  returned: 'הוחזר',
  cancelled: 'בוטל',
  lost: 'אבד',
};

const ARABIC: Names = {
  pending: 'قيد الانتظار',
  needs_attention: 'يحتاج إلى معالجة',
  created: 'أُنشئت',
  collected: 'استُلمت من المرسل',
  in_transit: 'في الطريق',
  at_pickup_point: 'في نقطة الاستلام',
  out_for_delivery: 'خرجت للتوصيل',
  delivery_failed: 'فشل التوصيل',
  returning: 'في طريق العودة',
  delivered: 'سُلّمت',
  returned: 'أُعيدت',
  cancelled: 'أُلغيت',
  lost: 'فُقدت',
};

/**
 * How merchants and operators read a status, in the panel and in mails. Recipients read `recipient-words`: there a status
 * is a sentence to the one who waits, several of ours are one, and a collection has its own.
 */
export const STATUS_WORDS: Readonly<Record<Language, Names>> = { en: ENGLISH, he: HEBREW, ar: ARABIC };
