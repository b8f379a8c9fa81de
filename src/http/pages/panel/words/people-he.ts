import type { peopleEn } from './people-en.js';

/** The texts of the search over all accounts, an account's team and an owner's licenses in Hebrew. */
export const peopleHe: typeof peopleEn = {
  people: {
    search: 'חיפוש בכל החשבונות',
    searchHint:
      'מספר מעקב, הזמנה או טלפון בשלמותם, או תחילת מילים משם החשבון או מהדוא״ל שלו. לכל היותר {count} המשלוחים החדשים.',
    foundParcels: 'משלוחים שנמצאו',
    foundAccounts: 'חשבונות שנמצאו',
    merchant: 'חשבון',
    moreFound: 'נמצאו עוד. אלה {count} מהם: הוסיפו לטקסט כדי לראות אחרים.',
    moreAccounts: 'מוצעים {count} החשבונות הראשונים; אחרים נמצאים לפי מה שמקלידים.',
    searchUsers: 'תחילת הדוא״ל',
    team: 'צוות החשבון',
    teamIntro:
      'מי שנכנס ללוח בשם החשבון. בעלי חשבון מחליטים גם על פרטי גישה, הגדרות והצוות הזה; הצוות שולח משלוחים.',
    inviteOne: 'הזמנת אדם',
    teamRole: 'תפקיד בחשבון',
    you: 'זה אתם',
    makeRole: 'שינוי התפקיד ל{role}',
    roleQuestion: '{email} יאבד מה שמותר לתפקיד {from} מעבר לתפקיד {to}, וינותק מכל מקום.',
    ownRole: 'את התפקיד שלכם משנה מנהל או בעל חשבון אחר.',
  },
  mine: {
    keyHint:
      'התוסף של החנות ותוכנות מזהים את הרישיון הזה לפי המפתח שלו. מי שמחזיק במפתח יכול לשלוח משלוחים על חשבונכם: הזינו אותו רק שם.',
    whole: 'מלאות',
    missing: 'חסר: {names}. מי שמפעיל את השירות מזין את זה.',
    addressNeeded: 'המוביל צריך לדעת מאיפה לאסוף: בלי רחוב ועיר הוא לא מקבל משלוחים.',
  },
};
