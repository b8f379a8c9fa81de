import type { slipsEn } from './slips-en.js';

/** The texts of packing slips and pick lists in Hebrew. */
export const slipsHe: typeof slipsEn = {
  slips: {
    slip: 'תעודת אריזה',
    slips: 'תעודות אריזה',
    picks: 'רשימת ליקוט',
    print: 'הדפסה',
    to: 'אל',
    note: 'הערה',
    more: 'ועוד {count} שורות: ראו בהזמנה.',
    noItems: 'ההזמנה אינה מפרטת פריטים.',
    place: 'מקום',
    orders: 'הזמנות',
    fetched: 'נלקט',
    pickSum: 'יחידות: {count}, עבור {orders} הזמנות',
    withoutItems: 'הזמנות ללא פירוט פריטים:',
    cut: 'הזמנות שיש בהן עוד שורות:',
    leftOut: 'לא נכללו',
    small: '10 × 15 ס״מ',
  },
};
