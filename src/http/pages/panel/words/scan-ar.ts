import type { scanEn } from './scan-en.js';

/** The texts of the page for scanners in Arabic. */
export const scanAr: typeof scanEn = {
  scan: {
    title: 'مسح',
    each: 'كل مسح',
    open: 'يعرض الشحنة',
    print: 'يطبع الملصق',
    mark: 'يضع الحالة „{status}”',
    code: 'الرمز',
    hint: 'امسح أو اكتب رقم التتبع أو رقم الطلب، ثم Enter.',
    go: 'تنفيذ',
    list: 'عمليات المسح، الأحدث أولًا',
    missing: 'لا شحنة بهذا الرمز.',
    several: '{count} شحنات بهذا الرمز. اختر واحدة من القائمة.',
    waits: 'لم تقبلها شركة النقل بعد.',
    cancelled: 'الشحنة ملغاة. لم يُطبع شيء.',
    openedBefore: 'عُرضت للتو.',
    printedBefore: 'طُبعت للتو. اطبعها في الأسفل إن لم تخرج.',
    printedAgain: 'كان لها ملصق من قبل.',
    packages: 'الملصقات: {count}، واحد لكل طرد.',
    markedBefore: 'حالتها „{status}” من قبل.',
    final: 'حالتها „{status}” ولا تتغير.',
    reported: 'شركة نقلها تُبلغ بنفسها.',
    lost: 'لم يصل رد. امسح مرة أخرى.',
    look: 'ابحث في القائمة',
    tab: 'افتح الملصق في تبويب مستقل',
    label: 'ملصق',
    whole: 'الشحنة كاملة',
    outcomes: {
      opened: 'وُجدت',
      printed: 'طُبعت',
      marked: 'تم',
      already: 'سبق',
      wrong: 'لم يتم',
    },
  },
};
