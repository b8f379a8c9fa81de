import type { Language } from '../../domain/recipient-words/language.js';

/** Wording of an export's mail. Times are passed as isolated text. */
const english = {
  subject: (license: string) => `Your shipment export is ready (${license})`,
  title: 'Your export is ready',
  hello: (name: string) => `Hello ${name},`,
  attached: 'The file with your shipments is attached.',
  linked: (until: string) =>
    `The file with your shipments is too large for a mail. You can download it until ${until}.`,
  download: 'Download the file',
  /** About the file, for any recipient. */
  keep: 'The file holds personal data of your customers. Keep it safe, and delete it when you no longer need it.',
  why: 'You get this e-mail because your account requested the export.',
  labels: {
    license: 'License',
    shipments: 'Shipments',
    asked: 'Requested',
    filters: 'Filters',
    file: 'File',
  },
  allLicenses: 'all licenses',
  noFilter: 'none: all shipments',
  /** Separates filters. */
  comma: ', ',
  active: { yes: 'active only', no: 'inactive only' },
  label: { yes: 'label made', no: 'without a label' },
  type: { 1: 'deliveries', 2: 'collections' },
  status: (name: string) => `status ${name}`,
  from: (moment: string) => `created from ${moment}`,
  to: (moment: string) => `created until ${moment}`,
};

export type ExportWords = typeof english;

const hebrew: ExportWords = {
  subject: (license) => `ייצוא המשלוחים שלך מוכן (${license})`,
  title: 'הייצוא שלך מוכן',
  hello: (name) => `שלום ${name},`,
  attached: 'הקובץ עם המשלוחים שלך מצורף להודעה זו.',
  linked: (until) => `הקובץ עם המשלוחים שלך גדול מדי להודעת דוא"ל. אפשר להוריד אותו עד ${until}.`,
  download: 'הורדת הקובץ',
  keep: 'הקובץ מכיל פרטים אישיים של לקוחותיך. יש לשמור עליו, ולמחוק אותו כשאין בו עוד צורך.',
  why: 'ההודעה נשלחה אליך כי הייצוא התבקש מהחשבון שלך.',
  labels: { license: 'רישיון', shipments: 'משלוחים', asked: 'התבקש', filters: 'סינון', file: 'קובץ' },
  allLicenses: 'כל הרישיונות',
  noFilter: 'ללא: כל המשלוחים',
  comma: ', ',
  active: { yes: 'פעילים בלבד', no: 'לא פעילים בלבד' },
  label: { yes: 'עם תווית', no: 'ללא תווית' },
  type: { 1: 'מסירות', 2: 'איסופים' },
  status: (name) => `סטטוס ${name}`,
  from: (moment) => `נוצרו החל מ־${moment}`,
  to: (moment) => `נוצרו עד ${moment}`,
};

const arabic: ExportWords = {
  subject: (license) => `ملف تصدير شحناتك جاهز (${license})`,
  title: 'ملف التصدير جاهز',
  hello: (name) => `مرحبًا ${name}،`,
  attached: 'الملف الذي يضم شحناتك مرفق بهذه الرسالة.',
  linked: (until) => `الملف الذي يضم شحناتك أكبر من أن يُرفق برسالة. يمكنك تنزيله حتى ${until}.`,
  download: 'تنزيل الملف',
  keep: 'يضم الملف بيانات شخصية لعملائك. احفظه في مكان آمن، واحذفه عندما لا تعود بحاجة إليه.',
  why: 'وصلتك هذه الرسالة لأن التصدير طُلب من حسابك.',
  labels: {
    license: 'الترخيص',
    shipments: 'الشحنات',
    asked: 'وقت الطلب',
    filters: 'التصفية',
    file: 'الملف',
  },
  allLicenses: 'كل التراخيص',
  noFilter: 'بدون: جميع الشحنات',
  comma: '، ',
  active: { yes: 'النشطة فقط', no: 'غير النشطة فقط' },
  label: { yes: 'مع ملصق', no: 'بدون ملصق' },
  type: { 1: 'عمليات التسليم', 2: 'عمليات الاستلام' },
  status: (name) => `الحالة: ${name}`,
  from: (moment) => `أُنشئت ابتداءً من ${moment}`,
  to: (moment) => `أُنشئت حتى ${moment}`,
};

/** Wording of an export's mail in each of our languages. */
export const EXPORT_WORDS: Readonly<Record<Language, ExportWords>> = {
  en: english,
  he: hebrew,
  ar: arabic,
};
