import type { slipsEn } from './slips-en.js';

/** The texts of packing slips and pick lists in Arabic. */
export const slipsAr: typeof slipsEn = {
  slips: {
    slip: 'قسيمة تعبئة',
    slips: 'قسائم تعبئة',
    picks: 'قائمة التجميع',
    print: 'طباعة',
    to: 'إلى',
    note: 'ملاحظة',
    more: 'و{count} سطور أخرى: انظر الطلب.',
    noItems: 'لا يذكر الطلب أصنافًا.',
    place: 'المكان',
    orders: 'الطلبات',
    fetched: 'تم',
    pickSum: 'القطع: {count}، لعدد {orders} من الطلبات',
    withoutItems: 'طلبات لا تذكر أصنافًا:',
    cut: 'طلبات فيها سطور أكثر مما هنا:',
    leftOut: 'لم تُدرج',
    small: '10 × 15 سم',
  },
};
