import test from 'ava';
import { countryCode } from '../../src/lib/countries.js';

const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  IL: ['IL', 'il', 'ISR', ' Israel ', 'ISRAEL', 'ישראל', 'إسرائيل', 'اسرائيل'],
  US: [
    'us',
    'USA',
    'U.S.A.',
    'United States',
    'United States of America',
    'ארה"ב',
    'ארצות הברית',
    'الولايات المتحدة',
  ],
  GB: ['GB', 'GBR', 'UK', 'United Kingdom', 'בריטניה', 'المملكة المتحدة'],
  CI: ["Côte d'Ivoire", 'Cote d’Ivoire'],
  PS: ['PS', 'PSE', 'Palestine', 'فلسطين'],
};

for (const [code, names] of Object.entries(COUNTRIES)) {
  test(`countryCode: ${code} by its codes and names`, (t) => {
    t.deepEqual(
      names.map((name) => [name, countryCode(name)]),
      names.map((name) => [name, code]),
    );
  });
}

test('countryCode: what is no country is none', (t) => {
  for (const text of ['', ' ', '-', 'Narnia', 'XX', 'ZZ', '376', 'Haifa', 'Israelistan', 'I']) {
    t.is(countryCode(text), null, text);
  }
});
