import type { RuleWords } from './words.js';

/** Rules about users, sign-in and decisions, and refusals of whole requests. */
export const PEOPLE_RULES = {
  not_oneself: {
    api: 'cannot be changed by the user itself',
    en: 'Nobody changes this about themselves: another administrator or owner does.',
    he: 'איש אינו משנה זאת לעצמו: מנהל או בעלים אחר עושה זאת.',
    ar: 'لا أحد يغيّر هذا لنفسه: يفعله مدير أو مالك آخر.',
  },
  last_one: {
    api: 'must stay: nobody else who has signed in is an {role}',
    en: 'must stay: nobody else who has signed in may do what this user may',
    he: 'חייב להישאר: אין עוד מי שנכנס למערכת ויש לו הרשאות כאלה.',
    ar: 'يجب أن يبقى: لا أحد غيره ممن دخلوا له هذه الصلاحيات.',
  },
  role_account: {
    api: 'is required for {role}',
    en: 'is required for this role',
    he: 'שדה חובה לתפקיד הזה.',
    ar: 'حقل مطلوب لهذا الدور.',
  },
  role_of_service: {
    api: 'goes with owner and staff alone; {role} is for all accounts',
    en: 'is for owners and staff alone; this role is for all accounts',
    he: 'רק לבעלים ולצוות: התפקיד הזה הוא לכל החשבונות.',
    ar: 'للمالكين والطاقم فقط: هذا الدور لكل الحسابات.',
  },
  invited_before: {
    api: 'has accepted an invitation; the operator of the service makes a new one',
    en: 'The user has accepted an invitation; the operator of the service makes a new one.',
    he: 'ההזמנה כבר התקבלה; מפעיל השירות יכול ליצור חדשה.',
    ar: 'قُبلت الدعوة من قبل؛ مشغّل الخدمة ينشئ دعوة جديدة.',
  },
  taken: { api: '{taken}', en: 'is taken already', he: 'זה תפוס כבר.', ar: 'هذا محجوز من قبل.' },
  app_code: {
    api: 'must be the six digits that the authenticator app shows now',
    he: 'שש הספרות שאפליקציית האימות מציגה עכשיו.',
    ar: 'الأرقام الستة التي يعرضها تطبيق المصادقة الآن.',
  },
  your_password: { api: 'must be your password', he: 'זו אינה הסיסמה שלכם.', ar: 'هذه ليست كلمة مروركم.' },
  unused_code: {
    api: 'must be a code that was not used before',
    he: 'הקוד שגוי, או שכבר השתמשו בו.',
    ar: 'الرمز خاطئ أو استُعمل من قبل.',
  },
  user_or_recipient: {
    api: 'or recipient is required',
    en: 'or a recipient is required',
    he: 'חסר משתמש או נמען.',
    ar: 'ينقص مستخدم أو مستلم.',
  },
  one_owner: {
    api: 'must not be given beside user: a token has one owner',
    he: 'לטוקן יש בעלים אחד.',
    ar: 'للرمز مالك واحد.',
  },
  erase_one: {
    api: 'must name exactly one of --phone, --email and --order',
    en: 'must name a phone, an e-mail or an order',
    he: 'טלפון, דוא״ל או הזמנה: אחד בלבד.',
    ar: 'هاتف أو بريد أو طلب: واحد فقط.',
  },
  with_order: {
    api: 'is required with --order',
    en: 'is required with an order',
    he: 'שדה חובה לצד הזמנה.',
    ar: 'حقل مطلوب مع الطلب.',
  },
  phone_number: { api: 'must be a phone number', he: 'זה אינו מספר טלפון.', ar: 'هذا ليس رقم هاتف.' },
  looked_at: {
    api: 'must be the time when you looked at the carrier',
    he: 'השעה שבה בדקתם אצל המוביל.',
    ar: 'الوقت الذي نظرتم فيه عند الناقل.',
  },
  adopted_code: {
    api: "must be the carrier's tracking code: 1 to 64 characters without spaces",
    he: 'מספר המעקב של המוביל: 1 עד 64 תווים, ללא רווחים.',
    ar: 'رقم تتبع الناقل: من 1 إلى 64 حرفاً بلا فراغات.',
  },
  newest_call: {
    api: 'must be the number of the newest call when you looked at the carrier',
    en: 'The page is older than the newest call to the carrier. Open it again.',
    he: 'הדף ישן מהפנייה האחרונה למוביל. פתחו אותו מחדש.',
    ar: 'الصفحة أقدم من آخر اتصال بالناقل. افتحوها من جديد.',
  },
  given_reason: {
    api: 'must be the reason, which the caller reads',
    he: 'כתבו את הסיבה: מי ששלח את הבקשה קורא אותה.',
    ar: 'اكتبوا السبب: يقرأه من أرسل الطلب.',
  },
  one_code: {
    api: 'goes with one shipment alone',
    he: 'רק למשלוח אחד.',
    ar: 'لشحنة واحدة فقط.',
  },
  waits_not: {
    api: 'A shipment does not wait for a decision any more.',
    he: 'משלוח אחד כבר אינו מחכה להחלטה.',
    ar: 'لم تعد إحدى الشحنات تنتظر قراراً.',
  },
  not_waiting: {
    api: 'Shipment {uuid} does not exist or does not wait for this decision.',
    en: 'The shipment does not wait for this decision.',
    he: 'המשלוח אינו מחכה להחלטה הזאת.',
    ar: 'الشحنة لا تنتظر هذا القرار.',
  },
  creation_gone: {
    api: 'The creation is not running any more, and something was sent to the carrier. Look there for the reference {uuid}; then send the same request with the same key again, which resumes the creation, and resolve it once it is listed by needs-attention and waits.',
    he: 'היצירה כבר אינה רצה, ומשהו נשלח למוביל. חפשו אצלו את האסמכתה {uuid}, שלחו שוב את אותה בקשה עם אותו מפתח, והחליטו כשהמשלוח יחכה כאן.',
    ar: 'لم يعد الإنشاء جارياً، وقد أُرسل شيء إلى الناقل. ابحثوا عنده عن المرجع {uuid}، ثم أرسلوا الطلب نفسه بالمفتاح نفسه، وقرّروا حين تنتظر الشحنة هنا.',
  },
  creation_silent: {
    api: 'The creation has not answered yet. Look again later.',
    he: 'היצירה עדיין לא ענתה. בדקו שוב מאוחר יותר.',
    ar: 'لم يُجب الإنشاء بعد. انظروا لاحقاً.',
  },
  creation_ended: {
    api: 'The creation has just ended. Look again.',
    he: 'היצירה הסתיימה זה עתה. בדקו שוב.',
    ar: 'انتهى الإنشاء للتو. انظروا مرة أخرى.',
  },
  status_final: {
    api: 'The shipment is {status}, which is final.',
    he: 'המצב של המשלוח סופי.',
    ar: 'حالة الشحنة نهائية.',
  },
  not_in_future: {
    api: 'must not be in the future',
    he: 'לא בעתיד.',
    ar: 'ليس في المستقبل.',
  },
  before_booking: {
    api: 'must not be before {time}, when the shipment was booked',
    en: 'must not be before the shipment was booked',
    he: 'לא לפני שהמשלוח הוזמן.',
    ar: 'ليس قبل حجز الشحنة.',
  },
  before_status: {
    api: 'must not be before {time}, since when the shipment is {status}',
    en: 'must not be before the present status',
    he: 'לא לפני המצב הנוכחי.',
    ar: 'ليس قبل الحالة الحالية.',
  },
  reports_itself: {
    api: 'The carrier of this shipment reports its statuses by itself.',
    he: 'המוביל של המשלוח הזה מדווח על המצבים בעצמו.',
    ar: 'ناقل هذه الشحنة يبلّغ بحالاتها بنفسه.',
  },
  account_without_license: {
    api: 'The account has no active license.',
    he: 'לחשבון אין רישיון פעיל.',
    ar: 'ليس للحساب رخصة نشطة.',
  },
  foreign_license: {
    api: 'The license is not available to this account.',
    he: 'הרישיון אינו זמין לחשבון הזה.',
    ar: 'الرخصة غير متاحة لهذا الحساب.',
  },
  account_disabled: { api: 'The account is disabled.', he: 'החשבון מושבת.', ar: 'الحساب معطّل.' },
  not_offered: {
    api: 'The carrier does not offer this.',
    he: 'המוביל אינו מציע זאת.',
    ar: 'لا يقدّم الناقل هذا.',
  },
  exporting: {
    api: 'An export is already being prepared for {of}.',
    he: 'קובץ כזה כבר בהכנה.',
    ar: 'يُحضَّر ملف كهذا.',
  },
  too_large_to_store: {
    api: 'The shipment and its order are too large to be stored.',
    he: 'המשלוח וההזמנה שלו גדולים מכדי להישמר.',
    ar: 'الشحنة وطلبها أكبر من أن يُحفظا.',
  },
  other_form: {
    api: 'The form was sent by another site.',
    he: 'הטופס נשלח מאתר אחר.',
    ar: 'أُرسل النموذج من موقع آخر.',
  },
  not_a_form: { api: 'The panel takes forms.', he: 'הטופס אינו קריא.', ar: 'لا يمكن قراءة النموذج.' },
  unreadable_form: {
    api: 'The form cannot be read.',
    he: 'הטופס אינו קריא.',
    ar: 'لا يمكن قراءة النموذج.',
  },
} as const satisfies Record<string, RuleWords>;
