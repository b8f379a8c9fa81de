import type { parcelEn } from './parcel-en.js';

/** The texts of pages of parcels, and of what became none, in Arabic. */
export const parcelAr: typeof parcelEn = {
  parcel: {
    refused: 'المرفوضة',
    refusedIntro: 'عمليات إنشاء انتهت بلا طرد، ما دامت محفوظة: لم يُحجز شيء. الأحدث أولًا.',
    refusedEmpty: 'لم يُرفض شيء.',
    refusedSearch: 'طلب أو هاتف، أو اسم بين أحدث {count}',
    refusedFound: 'مرفوضة بهذا النص: انظر هناك',
    correct: 'إنشاء من جديد بعد التصحيح',
    noPoints: 'ليس لدى الناقل نقاط استلام.',
    noPointsIn: 'لا نقاط استلام في {city}.',
    notPrinted: 'أُنشئت الشحنة، لكن تعذرت طباعة ملصقها.',
    setStatus: 'تحديث الحالة',
    happened: 'متى حدث ذلك',
    happenedHint: 'بتوقيت إسرائيل؛ الآن إن تُرك فارغًا.',
    statusNote: 'كلمات للمستلم',
    sendBack: 'إعادة الطرد',
    contents: 'الطرد',
    items: 'الأصناف',
    value: 'القيمة',
    quantity: 'الكمية',
    sku: 'رمز الصنف',
    itemName: 'الصنف',
    amount: 'المبلغ',
  },
};
