import type { keptEn } from './kept-en.js';

/** Texts of what people keep for their next parcels, in Hebrew. */
export const keptHe: typeof keptEn = {
  kept: {
    addresses: 'פנקס כתובות',
    addressesIntro: 'כתובות שנשמרו בחשבון: של נמענים, ושל שולחים לאיסוף ולהחזרה.',
    search: 'שם, טלפון או עיר',
    find: 'חיפוש כתובת שמורה',
    keep: 'לשמור את הכתובת',
    new: 'כתובת חדשה',
    shipTo: 'לשלוח משלוח',
    collectFrom: 'לאסוף משלוח',
    removeAddress: 'למחוק את הכתובת? משלוחים שנשלחו שומרים את שלהם.',
    nobody: 'אין כתובת שמורה עם טקסט זה.',
    preset: 'תבנית',
    presets: 'תבניות משלוח',
    presetsIntro:
      'מה שיש תמיד למשלוח מסוג זה. לחיצה אחת ב״משלוח חדש״ ממלאת אותו, והזמנות מקובץ מקבלות אותו היכן שהקובץ אינו אומר דבר.',
    presetName: 'שם התבנית',
    savePreset: 'שמירה כתבנית',
    saveHint: 'נשמרים הרישיון, הסוג, החבילות וההערה. תבנית באותו שם תוחלף.',
    removePreset: 'למחוק את התבנית?',
    any: 'כל רישיון',
  },
};
