import type { RuleWords } from './words.js';

/** Rules of the templates of mails. */
export const TEMPLATE_RULES = {
  template_taken: {
    api: 'The license has a template for this event and locale.',
    en: 'The license has a template for this event and language.',
    he: 'לרישיון כבר יש תבנית לאירוע ולשפה האלה.',
    ar: 'للرخصة قالب لهذا الحدث وهذه اللغة.',
  },
  most_templates: {
    api: 'A license has at most {limit} templates.',
    he: 'לרישיון עד {limit} תבניות.',
    ar: 'للرخصة حتى {limit} قالب.',
  },
  templates_size: {
    api: 'The bodies of all templates of a license must not exceed {limit} KiB.',
    he: 'גוף כל התבניות של רישיון: עד {limit} KiB יחד.',
    ar: 'نصوص كل قوالب الرخصة: حتى {limit} KiB معاً.',
  },
  subject_line: { api: 'must be one line of text', he: 'שורה אחת של טקסט.', ar: 'سطر نص واحد.' },
  most_placeholders: {
    api: 'must not have more than {limit} placeholders; it has {count}',
    he: 'עד {limit} ערכים; יש כאן {count}.',
    ar: 'حتى {limit} قيمة؛ هنا {count}.',
  },
  foreign_placeholder: {
    api: 'has {found}, which would be sent as it is; write placeholders like {like}',
    he: 'יש כאן {found}, שיישלח כמו שהוא; ערך נכתב כך: {like}.',
    ar: 'هنا {found}، وسيُرسل كما هو؛ تُكتب القيمة هكذا: {like}.',
  },
  no_tag: {
    api: 'has a "<" that begins no tag, at {at}',
    he: 'יש כאן "<" שאינו פותח תג, ב-{at}.',
    ar: 'هنا "<" لا يبدأ وسماً، عند {at}.',
  },
  unknown_tag: {
    api: 'uses the tag <{tag}>, which is not allowed',
    he: 'התג <{tag}> אינו מותר.',
    ar: 'الوسم <{tag}> غير مسموح.',
  },
  malformed_tag: {
    api: 'has a malformed </{tag}>',
    he: 'התג </{tag}> אינו תקין.',
    ar: 'الوسم </{tag}> غير سليم.',
  },
  malformed_attribute: {
    api: 'has a malformed attribute in <{tag}>; write name="value"',
    he: 'מאפיין לא תקין ב-<{tag}>; כתבו name="value".',
    ar: 'خاصية غير سليمة في <{tag}>؛ اكتبوا name="value".',
  },
  link_start: {
    api: 'has a link that begins with none of {starts}',
    he: 'יש כאן קישור שאינו מתחיל באחד מאלה: {starts}.',
    ar: 'هنا رابط لا يبدأ بأحد هذه: {starts}.',
  },
  unknown_attribute: {
    api: 'uses {attribute} in <{tag}>, which is not allowed',
    he: '{attribute} אינו מותר ב-<{tag}>.',
    ar: '{attribute} غير مسموح في <{tag}>.',
  },
  section_in_attribute: {
    api: 'has a section inside an attribute',
    he: 'יש כאן מקטע בתוך מאפיין.',
    ar: 'هنا مقطع داخل خاصية.',
  },
  open_placeholder: {
    api: 'has a {open} without its {close}',
    he: 'יש כאן {open} בלי {close}.',
    ar: 'هنا {open} بلا {close}.',
  },
  unknown_placeholder: {
    api: 'uses the unknown placeholder {name}',
    he: 'אין ערך כזה: {name}.',
    ar: 'لا توجد قيمة كهذه: {name}.',
  },
  wrong_close: {
    api: 'closes {name} where {expected} is open',
    he: 'נסגר כאן {name} במקום {expected}.',
    ar: 'يُغلق هنا {name} بدل {expected}.',
  },
  nothing_open: {
    api: 'closes {name} where nothing is open',
    he: 'נסגר כאן {name} שלא נפתח.',
    ar: 'يُغلق هنا {name} ولم يُفتح.',
  },
  nested: {
    api: 'is nested more than {limit} deep',
    he: 'יותר מ-{limit} רמות זו בתוך זו.',
    ar: 'أكثر من {limit} مستوى متداخل.',
  },
  not_closed: { api: 'does not close {name}', he: '{name} לא נסגר.', ar: '{name} لم يُغلق.' },
  long_mail: {
    api: 'makes a mail of more than {limit} characters',
    he: 'ההודעה ארוכה מ-{limit} תווים.',
    ar: 'الرسالة أطول من {limit} حرف.',
  },
} as const satisfies Record<string, RuleWords>;
