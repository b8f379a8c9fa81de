import type { peopleEn } from './people-en.js';

/** The texts of the search over all accounts, an account's team and an owner's licenses in Arabic. */
export const peopleAr: typeof peopleEn = {
  people: {
    search: 'البحث في كل الحسابات',
    searchHint:
      'رقم تتبع أو طلب أو هاتف كامل، أو بدايات كلمات من اسم الحساب أو بريده. أحدث {count} شحنة على الأكثر.',
    foundParcels: 'الشحنات التي وُجدت',
    foundAccounts: 'الحسابات التي وُجدت',
    merchant: 'الحساب',
    moreFound: 'وُجد المزيد. هذه {count} منها: أضف إلى النص لترى غيرها.',
    moreAccounts: 'تُقترح أول {count} حسابات؛ وتوجد غيرها بما تكتبه.',
    searchUsers: 'يبدأ البريد بـ',
    team: 'فريق الحساب',
    teamIntro:
      'من يدخل إلى اللوحة باسم الحساب. يقرر أصحاب الحساب أيضًا بيانات الوصول والإعدادات وهذا الفريق؛ ويرسل الموظفون الشحنات.',
    inviteOne: 'دعوة شخص',
    teamRole: 'الدور في الحساب',
    you: 'أنت',
    makeRole: 'تغيير الدور إلى {role}',
    roleQuestion: 'يفقد {email} ما يسمح به دور {from} زيادة على {to}، ويُسجَّل خروجه من كل مكان.',
    ownRole: 'يغيّر دورَك مديرٌ أو صاحب حساب آخر.',
  },
  mine: {
    keyHint:
      'إضافة المتجر والبرامج تعرّف هذا الترخيص بمفتاحه. من يملك المفتاح يستطيع إرسال شحنات على حسابكم: أدخلوه هناك فقط.',
    whole: 'كاملة',
    missing: 'ينقص: {names}. يدخلها مشغّل هذه الخدمة.',
    addressNeeded: 'يجب أن يعرف الناقل من أين يستلم: من دون شارع ومدينة لا يقبل أي شحنة.',
  },
};
