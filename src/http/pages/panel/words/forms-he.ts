/** What forms say in Hebrew. */
export const formsHe = {
  sentForms: {
    noKey: 'הטופס לא בוצע: הדף ישן מדי. פתחו את הדף מחדש.',
    other: 'הטופס הזה כבר נשלח, עם תוכן אחר. כדי לשלוח משהו אחר פתחו אותו מחדש.',
    outcome: 'התוצאה:',
    look: 'הצגה',
    anew: 'פתיחת הדף מחדש',
  },
};
