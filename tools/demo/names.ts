/** Names between commas. */
function listed(names: string): string[] {
  return names.split(', ');
}

/** Invented people: first and last names are combined, streets are of the cities. */
export const HEBREW = {
  first: listed(
    'נועה, איתי, מאיה, עומר, שירה, יונתן, תמר, דניאל, רוני, אורי, יעל, גיא, ' +
      'הילה, אסף, ליאור, מיכל, עידו, רחל, אביגיל, אלון, סיגל, אמיר, ורד, ניר',
  ),
  last: listed(
    'כהן, לוי, מזרחי, פרץ, ביטון, דהן, אברהם, פרידמן, מלכה, אזולאי, כץ, יוסף, ' +
      'דוד, עמר, אוחיון, חדד, גבאי, בן דוד, שפירא, רוזנברג, קליין, סגל, הראל, ברק',
  ),
  places: [
    ['תל אביב-יפו', 'דיזנגוף'],
    ['תל אביב-יפו', 'אבן גבירול'],
    ['תל אביב-יפו', 'רוטשילד'],
    ['ירושלים', 'עמק רפאים'],
    ['ירושלים', 'יפו'],
    ['חיפה', 'שדרות הנשיא'],
    ['חיפה', 'מוריה'],
    ['רמת גן', 'ביאליק'],
    ['גבעתיים', 'כצנלסון'],
    ['פתח תקווה', 'חיים עוזר'],
    ['ראשון לציון', 'הרצל'],
    ['באר שבע', 'רגר'],
    ['נתניה', 'הרצל'],
    ['אשדוד', 'שבי ציון'],
    ['כפר סבא', 'ויצמן'],
    ['רעננה', 'אחוזה'],
    ['חולון', 'סוקולוב'],
    ['מודיעין-מכבים-רעות', 'עמק דותן'],
  ],
} as const;

export const ENGLISH = {
  first: listed(
    'Noa, Itay, Maya, Omer, Shira, Jonathan, Tamar, Daniel, Rachel, Adam, Yael, ' +
      'Guy, Hila, Asaf, Lior, Michal, Ido, Sarah, Abigail, Alon, Emma, David',
  ),
  last: listed(
    'Cohen, Levi, Mizrahi, Peretz, Biton, Dahan, Friedman, Katz, Azulay, ' +
      'Shapira, Rosenberg, Klein, Segal, Harel, Barak, Goldberg, Ben David, Gabay, Stern',
  ),
  places: [
    ['Tel Aviv', 'Dizengoff'],
    ['Tel Aviv', 'Ben Yehuda'],
    ['Tel Aviv', 'Rothschild Boulevard'],
    ['Jerusalem', 'Emek Refaim'],
    ['Jerusalem', 'Jaffa Road'],
    ['Haifa', 'Moriah'],
    ['Ramat Gan', 'Bialik'],
    ['Herzliya', 'Sokolov'],
    ['Raanana', 'Ahuza'],
    ['Netanya', 'Herzl'],
    ['Rishon LeZion', 'Herzl'],
    ['Beer Sheva', 'Rager Boulevard'],
  ],
} as const;
