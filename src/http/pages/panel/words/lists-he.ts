import type { listsEn } from './lists-en.js';

/** The texts of lists of shipments, and the printing from them, in Hebrew. */
export const listsHe: typeof listsEn = {
  lists: {
    printBatch: 'הדפסת התוויות של האצווה ({count})',
    stopQuestion: 'מה שטרם התחיל לא ייווצר. מה שנוצר נשאר.',
    howToPrint: 'איך להדפיס',
    find: 'חיפוש',
    printWaiting: 'הדפסת כל {count} התוויות שטרם הודפסו',
    printFirst: 'הדפסת {count} התוויות הראשונות שטרם הודפסו',
    order: 'סדר ההדפסה',
    orders: { chosen: 'כמו ברשימה', number: 'לפי מספר הזמנה', place: 'לפי מקום במחסן' },
    allFound: 'כל {count} שנמצאו',
    tooMany: 'לכל היותר {count} בבת אחת. צמצמו את הרשימה.',
    chosenCount: 'נבחרו:',
    chosenElsewhere: '(מתוכם {count} בעמודים אחרים)',
    mostChosen: 'אפשר לבחור {count} לכל היותר.',
    clearChosen: 'ניקוי הבחירה',
    keepChosen: 'שמירת הסימונים',
    noneFound: 'אין משלוח שמתאים לחיפוש ולסינון.',
    showAll: 'הצגת כל המשלוחים',
    noneYet: 'אין עדיין משלוחים. צרו משלוח, או אצווה של הזמנות:',
  },
};
