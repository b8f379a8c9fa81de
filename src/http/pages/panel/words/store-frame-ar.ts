import type { storeFrameEn } from './store-frame-en.js';

/** The texts of the page in the frame of a store's admin in Arabic. */
export const storeFrameAr: typeof storeFrameEn = {
  storeFrame: {
    title: 'شحنات {store}',
    openPanel: 'فتح في نظام الشحن',
    unprinted: 'بانتظار الطباعة',
    printThem: 'طباعة',
    undecided: 'بانتظار قرار',
    chosen: 'الطلبات المختارة',
    missing: 'طلبات بلا شحنة: {count}. أنشئها بزر كل طلب في المتجر، أو هنا في نظام الشحن.',
    noParcel: 'لا شحنة بعد',
    book: 'إنشاء شحنة',
    again: 'شحن مرة أخرى',
    connectTitle: 'المتجر غير متصل',
    unconnected:
      'لا يملك المتجر رمزًا صالحًا لخدمة الشحن. يصدر مدير الخدمة رمزًا لحسابك، ثم افتح هذه الصفحة من جديد.',
    endedTitle: 'انتهت صلاحية الصفحة',
    ended: 'افتحها من جديد من صفحات إدارة المتجر.',
  },
};
