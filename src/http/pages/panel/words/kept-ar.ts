import type { keptEn } from './kept-en.js';

/** Texts of what people keep for their next parcels, in Arabic. */
export const keptAr: typeof keptEn = {
  kept: {
    addresses: 'دفتر العناوين',
    addressesIntro: 'عناوين حُفظت في الحساب: لمستلمين، ولمرسلين عند الجمع والإرجاع.',
    search: 'الاسم أو الهاتف أو المدينة',
    find: 'البحث عن عنوان محفوظ',
    keep: 'احفظ هذا العنوان',
    new: 'عنوان جديد',
    shipTo: 'أرسل طردًا',
    collectFrom: 'اجمع طردًا',
    removeAddress: 'حذف العنوان؟ الطرود المرسلة تحتفظ بعناوينها.',
    nobody: 'لا عنوان محفوظ بهذا النص.',
    preset: 'قالب',
    presets: 'قوالب الطرود',
    presetsIntro:
      'ما يكون دائمًا لطرد من هذا النوع. نقرة واحدة في "شحنة جديدة" تملؤه، وتأخذه طلبات الملف حيث لا يقول الملف شيئًا.',
    presetName: 'اسم القالب',
    savePreset: 'حفظ كقالب',
    saveHint: 'يُحفظ الترخيص والنوع وعدد الطرود والملاحظة. يُستبدل قالب بالاسم نفسه.',
    removePreset: 'حذف القالب؟',
    any: 'أي ترخيص',
  },
};
