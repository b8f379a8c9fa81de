import type { peopleEn } from './people-en.js';

/** What the search over all accounts, and an account's team, say in Arabic. */
export const peopleAr: typeof peopleEn = {
  people: {
    search: 'البحث في كل الحسابات',
    searchHint: 'رقم تتبع أو طلب أو هاتف كامل، أو جزء من اسم الحساب أو بريده. أحدث {count} شحنة على الأكثر.',
    foundParcels: 'الشحنات التي وُجدت',
    foundAccounts: 'الحسابات التي وُجدت',
    merchant: 'الحساب',
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
};
