import type { scanEn } from './scan-en.js';

/** The texts of the page for scanners in Hebrew. */
export const scanHe: typeof scanEn = {
  scan: {
    title: 'סריקה',
    each: 'כל סריקה',
    open: 'מציגה את המשלוח',
    print: 'מדפיסה את התווית',
    mark: 'מסמנת „{status}”',
    code: 'קוד',
    hint: 'סרקו או הקלידו מספר מעקב או מספר הזמנה, ואז Enter.',
    go: 'ביצוע',
    list: 'סריקות, החדשה תחילה',
    missing: 'אין משלוח עם קוד זה.',
    several: 'יש {count} משלוחים עם קוד זה. בחרו אחד ברשימה.',
    waits: 'המוביל עדיין לא אישר אותו.',
    cancelled: 'המשלוח בוטל. דבר לא הודפס.',
    openedBefore: 'הוצג זה עתה.',
    printedBefore: 'הודפס זה עתה. אם לא יצא, הדפיסו אותו למטה.',
    printedAgain: 'כבר הייתה לו תווית.',
    packages: 'תוויות: {count}, אחת לכל חבילה.',
    markedBefore: 'הסטטוס כבר „{status}”.',
    final: 'הסטטוס „{status}” ואינו משתנה עוד.',
    reported: 'המוביל שלו מדווח בעצמו.',
    lost: 'לא התקבלה תשובה. סרקו שוב.',
    look: 'חיפוש ברשימה',
    tab: 'פתיחת התווית בלשונית נפרדת',
    label: 'תווית',
    whole: 'המשלוח המלא',
    outcomes: {
      opened: 'נמצא',
      printed: 'הודפס',
      marked: 'סומן',
      already: 'כבר בוצע',
      wrong: 'לא בוצע',
    },
  },
};
