import type { storeFrameEn } from './store-frame-en.js';

/** The texts of the page in the frame of a store's admin in Hebrew. */
export const storeFrameHe: typeof storeFrameEn = {
  storeFrame: {
    title: 'המשלוחים של {store}',
    openPanel: 'פתיחה במערכת המשלוחים',
    unprinted: 'ממתינים להדפסה',
    printThem: 'הדפסה',
    undecided: 'ממתינים להחלטה',
    chosen: 'ההזמנות שנבחרו',
    missing: 'הזמנות ללא משלוח: {count}. צרו אותן בכפתור שבכל הזמנה בחנות, או כאן במערכת המשלוחים.',
    noParcel: 'אין עדיין משלוח',
    book: 'יצירת משלוח',
    again: 'משלוח נוסף',
    connectTitle: 'החנות אינה מחוברת',
    unconnected:
      'לחנות אין אסימון תקף של שירות המשלוחים. מנהל השירות מנפיק אסימון לחשבון שלכם; לאחר מכן פתחו את הדף שוב.',
    endedTitle: 'תוקף הדף הסתיים',
    ended: 'פתחו אותו שוב מדפי הניהול של החנות.',
  },
};
