import type { parcelEn } from './parcel-en.js';

/** The texts of pages of parcels, and of what became none, in Hebrew. */
export const parcelHe: typeof parcelEn = {
  parcel: {
    refused: 'סורבו',
    refusedIntro: 'יצירות שהסתיימו ללא משלוח, כל עוד הן נשמרות: דבר לא הוזמן. החדשות תחילה.',
    refusedEmpty: 'דבר לא סורב.',
    refusedSearch: 'הזמנה, טלפון, או שם מבין {count} החדשים',
    refusedFound: 'סורבו עם טקסט זה: לצפייה',
    correct: 'יצירה מחדש, מתוקנת',
    noPoints: 'למוביל אין נקודות איסוף.',
    noPointsIn: 'אין נקודות איסוף ב{city}.',
    notPrinted: 'המשלוח נוצר, אך לא ניתן היה להדפיס את התווית.',
    setStatus: 'עדכון הסטטוס',
    happened: 'מתי זה קרה',
    happenedHint: 'שעון ישראל; עכשיו אם ריק.',
    statusNote: 'מילים לנמען',
    sendBack: 'החזרת המשלוח',
    contents: 'המשלוח',
    items: 'פריטים',
    value: 'ערך',
    quantity: 'כמות',
    sku: 'מק״ט',
    itemName: 'פריט',
    amount: 'סכום',
  },
};
