import type { RuleWords } from './words.js';

/** Outcomes of calls to carriers, in our words where the carrier has none; kept as text beside parcels and calls. */
export const ANSWER_RULES = {
  no_readable_answer: {
    api: 'No readable answer from the carrier ({code}).',
    he: 'לא הגיעה תשובה קריאה מהמוביל ({code}).',
    ar: 'لم يصل جواب مقروء من الناقل ({code}).',
  },
  carrier_not_reached: {
    api: 'The carrier cannot be reached ({code}).',
    he: 'אין קשר עם המוביל ({code}).',
    ar: 'لا يمكن الوصول إلى الناقل ({code}).',
  },
  carrier_late: {
    api: 'The carrier could not be reached in time.',
    he: 'המוביל לא ענה בזמן.',
    ar: 'تعذّر الوصول إلى الناقل في الوقت.',
  },
  call_late: {
    api: 'The call came too late and was not sent.',
    he: 'הפנייה איחרה ולא נשלחה.',
    ar: 'تأخّر الاتصال ولم يُرسل.',
  },
  call_aborted: {
    api: 'The call was aborted before it was sent.',
    he: 'הפנייה נעצרה לפני שנשלחה.',
    ar: 'أُوقف الاتصال قبل إرساله.',
  },
  reply_large: {
    api: 'The reply is larger than allowed.',
    he: 'התשובה גדולה מהמותר.',
    ar: 'الجواب أكبر من المسموح.',
  },
  reply_unreadable: {
    api: 'The reply of the carrier cannot be read.',
    he: 'אי אפשר לקרוא את תשובת המוביל.',
    ar: 'لا يمكن قراءة جواب الناقل.',
  },
  reply_both: {
    api: 'The reply of the carrier names a parcel and an error.',
    he: 'בתשובת המוביל יש גם חבילה וגם שגיאה.',
    ar: 'في جواب الناقل طرد وخطأ معاً.',
  },
  address_not_public: {
    api: 'The carrier named an address that is not public.',
    he: 'המוביל נתן כתובת שאינה ציבורית.',
    ar: 'ذكر الناقل عنواناً غير عام.',
  },
  address_malformed: {
    api: 'The carrier address or token is malformed.',
    he: 'כתובת המוביל או הטוקן אינם תקינים.',
    ar: 'عنوان الناقل أو الرمز غير سليم.',
  },
  label_address: {
    api: 'The carrier named no usable label address.',
    he: 'המוביל לא נתן כתובת שמישה של תווית.',
    ar: 'لم يذكر الناقل عنواناً صالحاً للملصق.',
  },
  label_cut: {
    api: 'The label of the carrier is not whole.',
    he: 'התווית של המוביל אינה שלמה.',
    ar: 'ملصق الناقل ناقص.',
  },
  label_no_pdf: {
    api: 'The carrier sent {what} in place of a label as a PDF.',
    he: 'במקום תווית PDF שלח המוביל: {what}.',
    ar: 'أرسل الناقل بدل ملصق PDF: {what}.',
  },
  label_locked: {
    api: 'The label of the carrier opens with a password only.',
    he: 'התווית של המוביל נפתחת בסיסמה בלבד.',
    ar: 'لا يُفتح ملصق الناقل إلا بكلمة مرور.',
  },
  label_unprintable: {
    api: 'The label of the carrier is not a PDF that can be printed.',
    he: 'התווית של המוביל אינה PDF שאפשר להדפיס.',
    ar: 'ملصق الناقل ليس ملف PDF قابلاً للطباعة.',
  },
  settings_invalid: {
    api: 'The settings of the carrier account are not valid.',
    he: 'ההגדרות של החשבון אצל המוביל אינן תקינות.',
    ar: 'إعدادات حساب الناقل غير صالحة.',
  },
  settings_lacking: {
    api: 'The license lacks settings for {carrier}, or they are wrong: {names}. Nothing was sent.',
    he: 'לרישיון חסרות הגדרות של {carrier}, או שהן שגויות: {names}. דבר לא נשלח.',
    ar: 'تنقص الرخصة إعدادات {carrier} أو هي خاطئة: {names}. لم يُرسل شيء.',
  },
  settings_unreadable: {
    api: "The license's settings for the carrier cannot be read.",
    he: 'אי אפשר לקרוא את הגדרות המוביל ברישיון.',
    ar: 'لا يمكن قراءة إعدادات الناقل في الرخصة.',
  },
  credentials_refused: {
    api: "The carrier refused the license's credentials.",
    he: 'המוביל לא קיבל את פרטי הגישה של הרישיון.',
    ar: 'رفض الناقل بيانات اعتماد الرخصة.',
  },
  process_ended: {
    api: 'The process ended before the answer.',
    he: 'התהליך נעצר לפני התשובה.',
    ar: 'انتهت العملية قبل الجواب.',
  },
  carrier_no_window: {
    api: 'The carrier offers no time window.',
    he: 'המוביל אינו מציע חלון זמן.',
    ar: 'لا يعرض الناقل نافذة زمنية.',
  },
  carrier_no_promise: {
    api: 'The carrier does not promise this delivery.',
    he: 'המוביל אינו מתחייב למשלוח הזה.',
    ar: 'لا يتعهد الناقل بهذا التوصيل.',
  },
  being_created: {
    api: 'The shipment is still being created.',
    he: 'המשלוח עדיין נוצר.',
    ar: 'الشحنة ما زالت تُنشأ.',
  },
  already_final: {
    api: 'The shipment is already in a final status.',
    he: 'המשלוח כבר במצב סופי.',
    ar: 'الشحنة في حالة نهائية.',
  },
  no_cancelling_now: {
    api: 'The carrier does not take a cancellation in this status.',
    he: 'המוביל אינו מקבל ביטול במצב הזה.',
    ar: 'لا يقبل الناقل الإلغاء في هذه الحالة.',
  },
  batch_cancelled: {
    api: 'The batch was cancelled before the item was started.',
    he: 'האצווה נעצרה לפני שההזמנה התחילה.',
    ar: 'أُوقفت الدفعة قبل أن يبدأ الطلب.',
  },
} as const satisfies Record<string, RuleWords>;
