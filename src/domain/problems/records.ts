import type { RuleWords } from './words.js';

/** Rules of what an administrator or a merchant keeps here: accounts, licenses, users, stores, webhooks, mails. */
export const RECORD_RULES = {
  unknown_name: {
    api: 'is not known; there are: {names}',
    he: 'אין שדה כזה.',
    ar: 'لا يوجد حقل كهذا.',
  },
  no_names: { api: 'is not known: there are none', he: 'אין שדה כזה.', ar: 'لا يوجد حقل كهذا.' },
  secret_form: {
    api: 'must be letters, digits and signs, without blanks',
    he: 'אותיות, ספרות וסימנים, ללא רווחים.',
    ar: 'أحرف وأرقام ورموز، بلا فراغات.',
  },
  like: { api: 'must be like {example}', he: 'כמו {example}.', ar: 'مثل {example}.' },
  match: { api: 'must match {pattern}', en: 'is invalid', he: 'הערך אינו תקין.', ar: 'القيمة غير صالحة.' },
  schema: { api: '{text}', en: 'is invalid', he: 'הערך אינו תקין.', ar: 'القيمة غير صالحة.' },
  no_such: {
    api: 'must {be}; there is none with {given}',
    he: 'אין כזה: {given}.',
    ar: 'لا يوجد: {given}.',
  },
  several_such: {
    api: 'must {be}; there are several with {given}',
    he: 'יש כמה כאלה: {given}.',
    ar: 'يوجد أكثر من واحد: {given}.',
  },
  shipment_of_none: {
    api: 'must be the uuid or tracking code of a shipment; none has {given}',
    he: 'אין משלוח כזה: {given}.',
    ar: 'لا توجد شحنة كهذه: {given}.',
  },
  shipment_of_several: {
    api: 'must be one shipment; several have the code {given}, take the uuid',
    he: 'לכמה משלוחים יש הקוד {given}.',
    ar: 'لأكثر من شحنة الرمز {given}.',
  },
  no_credentials: {
    api: 'must be one of credentials list; there are none with {given}',
    en: 'are not there any more',
    he: 'האישורים האלה אינם קיימים עוד.',
    ar: 'لم تعد بيانات الاعتماد هذه موجودة.',
  },
  admin_moment: {
    api: 'must be a date like 2027-01-31, an instant like 2027-01-31T22:00:00Z, or never',
    he: 'כתבו תאריך כמו 2027-01-31.',
    ar: 'اكتبوا تاريخاً مثل 2027-01-31.',
  },
  in_future: { api: 'must be in the future', he: 'כתבו זמן בעתיד.', ar: 'اكتبوا وقتاً في المستقبل.' },
  short_key: {
    api: 'must have {limit} characters or more, since it is the only credential of API v1; --short-key takes it',
    en: 'must have {limit} characters or more, since it is the only credential of API v1',
    he: 'לפחות {limit} תווים: זה אמצעי הזיהוי היחיד של API v1.',
    ar: 'لا أقل من {limit} حرف: هذا هو الاعتماد الوحيد في API v1.',
  },
  collection_address: {
    api: 'is required: {carrier} is told where to collect',
    he: 'שדה חובה: {carrier} צריך לדעת מאיפה לאסוף.',
    ar: 'حقل مطلوب: يجب أن يعرف {carrier} من أين يجمع.',
  },
  company_needed: {
    api: 'is required where no company is named by its id',
    he: 'שדה חובה כשלא נבחרה חברה.',
    ar: 'حقل مطلوب حين لا تُختار شركة.',
  },
  company_of_carrier: {
    api: "must be of the license's carrier, {carrier}; it is of {other_carrier}",
    he: 'בחרו חברה של המוביל {carrier}: זו של {other_carrier}.',
    ar: 'اختاروا شركة للناقل {carrier}: هذه لـ {other_carrier}.',
  },
  most_addresses: {
    api: 'An account keeps at most {limit} addresses.',
    he: 'בחשבון נשמרות עד {limit} כתובות.',
    ar: 'يحفظ الحساب حتى {limit} عنواناً.',
  },
  most_presets: {
    api: 'An account keeps at most {limit} presets.',
    he: 'בחשבון נשמרות עד {limit} תבניות חבילה.',
    ar: 'يحفظ الحساب حتى {limit} إعداداً.',
  },
  package_count: {
    api: 'must be a whole number from 1 to 99',
    he: 'מספר שלם מ-1 עד 99.',
    ar: 'عدد صحيح من 1 إلى 99.',
  },
  company_in_use: {
    api: 'must be of a company without licenses',
    en: 'Licenses belong to the company: it cannot be deleted.',
    he: 'לחברה שייכים רישיונות: אי אפשר למחוק אותה.',
    ar: 'للشركة رخص: لا يمكن حذفها.',
  },
  no_webhook_address: {
    api: 'must be of a carrier that posts webhooks, and have settings; {carrier} is not',
    en: 'is of {carrier}, which posts no webhooks, or has no settings yet',
    he: '{carrier} אינו שולח עדכונים, או שעדיין אין הגדרות.',
    ar: '{carrier} لا يرسل تحديثات، أو لا توجد إعدادات بعد.',
  },
  most_credentials: {
    api: 'must have less than {limit} credentials: revoke those that nobody uses',
    en: 'has {limit} credentials, which is the most: revoke those that nobody uses',
    he: 'יש כבר {limit} אישורים: בטלו את אלה שאיש אינו משתמש בהם.',
    ar: 'توجد {limit} بيانات اعتماد: ألغوا ما لا يستعمله أحد.',
  },
  setting_json: {
    api: 'must be JSON: an {type}',
    he: 'כתבו JSON.',
    ar: 'اكتبوا JSON.',
  },
  setting_seen: {
    api: "is a secret and would stay in the shell's history: --secret {name} reads it unseen",
    en: 'is a secret',
    he: 'זה סוד.',
    ar: 'هذا سرّ.',
  },
  setting_https: {
    api: 'must begin with https:// unless it leads to this machine',
    he: 'התחילו ב-https://, אלא אם הכתובת מובילה למחשב הזה.',
    ar: 'ابدأوا بـ https://، ما لم يقد العنوان إلى هذا الجهاز.',
  },
  settings_fit: {
    api: 'do not fit the carrier',
    he: 'ההגדרות אינן מתאימות למוביל.',
    ar: 'الإعدادات لا تناسب الناقل.',
  },
  secrets_size: {
    api: 'must have secrets of at most {limit} bytes in all',
    he: 'הסודות ארוכים מדי: עד {limit} בתים בסך הכול.',
    ar: 'الأسرار طويلة جداً: حتى {limit} بايت في المجموع.',
  },
  sealed: {
    api: 'The stored secrets cannot be opened: APP_KEY lacks the key that sealed them.',
    he: 'אי אפשר לפתוח את הסודות השמורים: המפתח של השירות אינו זה שחתם אותם.',
    ar: 'لا يمكن فتح الأسرار المحفوظة: مفتاح الخدمة ليس الذي ختمها.',
  },
  site_license: {
    api: 'must be one of account {account}',
    he: 'בחרו רישיון של החשבון הזה.',
    ar: 'اختاروا رخصة لهذا الحساب.',
  },
  with_rest_keys: {
    api: 'goes with the REST keys only',
    he: 'רק יחד עם מפתחות ה-REST.',
    ar: 'مع مفاتيح REST فقط.',
  },
  rest_keys_platform: {
    api: 'must be woocommerce: only its plugin has REST keys',
    he: 'רק לתוסף של WooCommerce יש מפתחות REST.',
    ar: 'إضافة WooCommerce وحدها لها مفاتيح REST.',
  },
  https: { api: 'must begin with https://', he: 'התחילו ב-https://.', ar: 'ابدأوا بـ https://.' },
  url: {
    api: 'must be a valid URL',
    admin: 'must be a URL',
    he: 'זו אינה כתובת אינטרנט.',
    ar: 'هذا ليس عنوان ويب.',
  },
  url_scheme: {
    api: 'must begin with https:// or http://',
    he: 'התחילו ב-https:// או ב-http://.',
    ar: 'ابدأوا بـ https:// أو http://.',
  },
  url_credentials: {
    api: 'must not hold a user name or password',
    admin: 'must hold no user name or password',
    he: 'ללא שם משתמש וסיסמה.',
    ar: 'بلا اسم مستخدم وكلمة مرور.',
  },
  url_port: {
    api: 'must not use a port of another service',
    admin: 'must not name a port of another kind of service',
    he: 'הפורט הזה שייך לשירות מסוג אחר.',
    ar: 'هذا المنفذ لخدمة من نوع آخر.',
  },
  url_address: {
    api: 'must lead to a public address',
    admin: 'must lead to a public address, or to one in WEBHOOK_ALLOW_CIDRS',
    he: 'הכתובת צריכה להיות ציבורית.',
    ar: 'يجب أن يكون العنوان عاماً.',
  },
  most_webhooks: {
    api: 'A license can have at most {limit} webhooks.',
    he: 'לרישיון עד {limit} webhooks.',
    ar: 'للرخصة حتى {limit} webhooks.',
  },
  most_attempts: {
    api: 'The delivery already has the maximum of {limit} attempts.',
    he: 'כבר נעשו {limit} ניסיונות, המספר המרבי.',
    ar: 'جرت {limit} محاولة، وهي الأقصى.',
  },
  webhook_off: {
    api: 'The webhook is turned off. Turn it on first.',
    he: 'ה-webhook כבוי. הפעילו אותו קודם.',
    ar: 'الـ webhook متوقف. شغّلوه أولاً.',
  },
  webhook_of_site: {
    api: 'is the plugin of store site {site}: store-sites disable and enable switch it',
    en: 'is the plugin of a store: disable or enable the store',
    he: 'זה התוסף של חנות: השביתו או הפעילו את החנות.',
    ar: 'هذه إضافة متجر: عطّلوا المتجر أو فعّلوه.',
  },
  replaying: {
    api: 'A replay of this webhook is already running.',
    he: 'שליחה חוזרת של ה-webhook הזה כבר בעיצומה.',
    ar: 'إعادة إرسال هذا الـ webhook جارية.',
  },
  must_have_failed: {
    api: 'must have failed; it is {status}',
    he: 'הוא לא נכשל.',
    ar: 'لم يفشل.',
  },
} as const satisfies Record<string, RuleWords>;
