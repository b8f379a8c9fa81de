/** Recipients in the scripts that labels, mails and tracking pages support. */
export const PEOPLE = {
  dana: {
    contact_name: 'Dana Levi',
    contact_phone: '0501234567',
    contact_mail: 'dana.levi@example.com',
    street: 'Dizengoff',
    number: '99',
    city: 'Tel Aviv',
    note: 'Please ring twice.',
  },
  emma: {
    contact_name: 'Emma Goldberg',
    contact_phone: '0523334455',
    contact_mail: 'emma.goldberg@example.com',
    street: 'Emek Refaim',
    number: '43',
    floor: '2',
    apartment: '5',
    city: 'Jerusalem',
  },
  maximilian: {
    contact_name: 'Maximilian Alexander von Hohenstein-Weissenburg',
    contact_phone: '0521112233',
    company: 'Levant Import, Export and General Trading Company Ltd.',
    street: 'Rothschild Boulevard',
    number: '121A',
    floor: '12',
    apartment: '48',
    city: 'Rishon LeZion',
  },
  noa: {
    contact_name: 'נועה כהן-אברהמי',
    contact_phone: '0547654321',
    contact_mail: 'noa@example.com',
    street: 'שדרות בן גוריון',
    number: '14',
    entrance: 'ב',
    floor: '3',
    apartment: '7',
    city: 'חיפה',
    note: 'להשאיר אצל השכנה אם אין מענה',
  },
  yossi: {
    contact_name: 'יוסי מזרחי',
    contact_phone: '0508887766',
    contact_mail: 'yossi@example.com',
    street: 'הרצל',
    number: '61',
    apartment: '12',
    city: 'באר שבע',
  },
  tamar: {
    contact_name: 'תמר שפירא',
    contact_phone: '0545556677',
    street: 'ביאליק',
    number: '8',
    city: 'רמת גן',
    note: 'השער האחורי',
  },
  ahmad: {
    contact_name: 'أحمد خطيب',
    contact_phone: '0539876543',
    contact_mail: 'ahmad@example.com',
    street: 'شارع بولس السادس',
    number: '8',
    city: 'الناصرة',
  },
  layla: {
    contact_name: 'ليلى حداد',
    contact_phone: '0524443322',
    contact_mail: 'layla@example.com',
    street: 'شارع المتنبي',
    number: '27',
    floor: '1',
    city: 'حيفا',
    note: 'الرجاء الاتصال قبل الوصول',
  },
  samir: {
    contact_name: 'سمير نصار',
    contact_phone: '0507776655',
    street: 'شارع الجلبوع',
    number: '3',
    city: 'أم الفحم',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

const SHIRT = {
  name: 'T-shirt, organic cotton',
  quantity: 2,
  total: '158.00',
  sku: 'TS-204-M',
  variation: 'Blue / M',
};
const MUG = { name: 'ספל קרמיקה בעבודת יד', quantity: 1, total: '79.90', sku: 'MUG-17', variation: 'טורקיז' };
const OIL = { name: 'زيت زيتون بكر ممتاز', quantity: 3, total: '135.00', sku: 'OIL-3' };
const VOUCHER = { name: 'Gift card 50 ILS', quantity: 1, total: '50.00', sku: 'GIFT-50', virtual: true };

/** Their orders. */
export const BASKETS = {
  shirt: { total: '208.00', items: [SHIRT, VOUCHER] },
  mug: { total: '79.90', items: [MUG] },
  oil: { total: '135.00', items: [OIL] },
  all: { total: '372.90', items: [MUG, SHIRT, OIL] },
} as const;
