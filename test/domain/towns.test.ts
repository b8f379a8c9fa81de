import test from 'ava';
import { TOWN_NAMES } from '../../src/domain/town-names.js';
import { namesTown, townKeyOf } from '../../src/domain/towns.js';

test('townKeyOf: the names of one town have one key', (t) => {
  for (const names of [
    ['קריית אתא', 'קרית אתא', 'קרית-אתא', 'ק. אתא', "ק' אתא", 'Qiryat Ata', 'KIRYAT ATTA', 'Kiryat-Ata'],
    ['הרצליה', 'הרצלייה', 'Herzliyya', 'Hertzliya', 'herzlia'],
    ['פתח תקווה', 'פתח תקוה', 'פתח-תקווה', 'פ"ת', 'Petah Tiqwa', 'Petach Tikva', 'PETACH-TIKVAH'],
    ['ירושלים', 'יְרוּשָׁלַיִם', 'ירושליים', 'י-ם', 'Jerusalem', 'Jerusalem, Israel', 'القدس'],
    [
      'תל אביב',
      'תל אביב-יפו',
      'תל־אביב – יפו',
      'ת"א',
      'ת״א',
      'תל אביב, ישראל',
      '  Tel-Aviv —  Yafo ',
      'Tel Aviv / Jaffa',
    ],
    ['ראשון לציון', 'ראשל"צ', 'Rishon LeZion', 'Rishon Le Tzion', 'RISHON LEZIYYON'],
    ['באר שבע', 'באר-שבע', 'ב״ש', "Be'er Sheva", 'Beer-Sheva', 'Beersheba'],
    ['נס ציונה', 'Ness Ziona', 'Nes Tziona', 'NES ZIYYONA'],
    ['מודיעין', 'מודיעין-מכבים-רעות', 'מודיעין מכבים רעות', 'רעות', "Modi'in", "Modi'in-Maccabim-Re'ut"],
    ['בנימינה', 'בנימינה-גבעת עדה', 'גבעת עדה', "Binyamina-Giv'at Ada"],
    ['יהוד', 'יהוד-מונוסון', 'Yehud-Monosson'],
    ['קדימה', 'קדימה-צורן', 'צורן', 'Kadima-Tzoran'],
    ['מעלות', 'מעלות-תרשיחא', "Ma'alot-Tarshiha"],
    ['פרדס חנה', 'פרדס חנה-כרכור', 'כרכור', 'Pardes Hana - Karkur'],
    ['כוכב יאיר', 'כוכב יאיר-צור יגאל', 'צור יגאל', 'Kochav Yair'],
    ['נוף הגליל', 'נצרת עילית', 'Nof HaGalil', 'Nazareth Illit'],
    ["סח'נין", 'סכנין', 'Sakhnin'],
  ]) {
    for (const name of names) t.is(townKeyOf(name), townKeyOf(names[0] ?? ''), name);
  }
});

test('townKeyOf: no two towns have one key', (t) => {
  // Leading words of each other, parts of joined towns, and names that differ in a letter.
  const groups = [
    [
      'ערערה',
      'ערערה-בנגב',
      'מגדל',
      'מגדל העמק',
      'מגדל שמס',
      'מגדל עוז',
      'טייבה',
      'טייבה (בעמק)',
      'טירה',
      'טירת כרמל',
    ],
    [
      'מודיעין',
      'מודיעין עילית',
      'נצרת',
      'נוף הגליל',
      'טמרה',
      'טמרה (יזרעאל)',
      "ג'ת",
      "יאנוח-ג'ת",
      'יבנה',
      'גן יבנה',
    ],
    [
      'יבנאל',
      'באר שבע',
      'באר יעקב',
      'תל שבע',
      'כפר יונה',
      'כפר סבא',
      'נווה אור',
      'נווה ים',
      'בת ים',
      'קריית ים',
    ],
    [
      'מקווה ישראל',
      'בית אלעזרי',
      'אלעד',
      'אילת',
      'אילות',
      'עין מאהל',
      'עין אל-אסד',
      'יקנעם (מושבה)',
      'יקנעם עילית',
      'כנרת (מושבה)',
    ],
    ['כנרת (קבוצה)', 'גת (קיבוץ)', 'קריית גת', 'בנימינה', 'בני ברק', 'זוהר', 'צוחר', 'רמת ישי', 'רמת גן'],
  ];
  const towns = groups.flat();

  const keys = new Set(towns.map(townKeyOf));

  t.is(keys.size, towns.length);
});

test('townKeyOf: a name stands for one town of the table', (t) => {
  const names = TOWN_NAMES.flatMap((row) => [...new Set(row.map((name) => name.toLowerCase()))]);
  const keys = new Set(TOWN_NAMES.map(([town = '']) => townKeyOf(town)));

  t.is(new Set(names).size, names.length);
  t.is(keys.size, TOWN_NAMES.length);
  for (const row of TOWN_NAMES) t.is(new Set(row.map(townKeyOf)).size, 1, row.join());
});

test('townKeyOf: empty without a letter or digit, and never longer than its column', (t) => {
  t.is(townKeyOf(' ¡!'), '');
  t.is(townKeyOf('100%_'), '100');
  t.is(townKeyOf('ab'.repeat(400)).length, 255);
});

test('namesTown: a description names the town as one of its parts', (t) => {
  t.true(namesTown('Kiosk, Herzl 12, Haifa', 'חיפה'));
  t.true(namesTown('סופר יודה, הרצל 5 תל אביב-יפו', 'תל אביב'));
  t.true(namesTown('לוקר | קרית אתא - מרכז', 'קריית אתא'));
  t.false(namesTown('קיוסק, מגדל העמק', 'מגדל'));
  t.false(namesTown('קיוסק, הרצל 5, ערערה-בנגב', 'ערערה'));
  t.false(namesTown('קיוסק, הרצל 5', '!'));
});
