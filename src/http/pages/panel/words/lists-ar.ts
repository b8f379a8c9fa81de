import type { listsEn } from './lists-en.js';

/** The texts of lists of shipments, and the printing from them, in Arabic. */
export const listsAr: typeof listsEn = {
  lists: {
    printBatch: 'طباعة ملصقات الدفعة ({count})',
    stopQuestion: 'ما لم يبدأ لن يُنشأ. ما أُنشئ يبقى.',
    howToPrint: 'كيفية الطباعة',
    find: 'بحث',
    printWaiting: 'طباعة كل الملصقات التي لم تُطبع ({count})',
    printFirst: 'طباعة أول {count} ملصق لم يُطبع',
    order: 'ترتيب الطباعة',
    orders: { chosen: 'كما في القائمة', number: 'حسب رقم الطلب', place: 'حسب المكان في المستودع' },
    allFound: 'كل ما وُجد: {count}',
    tooMany: '{count} على الأكثر دفعة واحدة. ضيّق القائمة.',
    chosenCount: 'المختارة:',
    chosenElsewhere: '(منها {count} في صفحات أخرى)',
    mostChosen: 'يمكن اختيار {count} على الأكثر.',
    clearChosen: 'مسح الاختيار',
    keepChosen: 'حفظ التحديد',
    noneFound: 'لا شحنة تطابق البحث والتصفية.',
    showAll: 'عرض كل الشحنات',
    noneYet: 'لا شحنات بعد. أنشئ شحنة، أو دفعة من الطلبات:',
  },
};
