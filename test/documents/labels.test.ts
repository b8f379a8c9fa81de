import { createHash } from 'node:crypto';
import test from 'ava';
import { fontFaces } from '../../src/documents/fonts.js';
import { captionsOf } from '../../src/documents/labels/captions.js';
import { clean, middleCutter } from '../../src/documents/labels/clean.js';
import { composeLabels, DESIGN_VERSION } from '../../src/documents/labels/document.js';
import { labelFileName } from '../../src/documents/labels/file-name.js';
import { renderHtml, sheetsOf } from '../../src/documents/labels/html.js';
import { fitSize, linesOf } from '../../src/documents/labels/text-fit.js';
import {
  DEFAULT_LABEL_OPTIONS,
  isBuiltinMethod,
  labelTypeOf,
  sortByWarehouse,
  warehouseLocation,
} from '../../src/domain/labels.js';
import { moneyText } from '../../src/domain/money.js';
import { type PickupPlace, placeInWords } from '../../src/domain/recipient-words/pickup-place.js';
import { ALL_FLAGS, fullHebrewSource, labelSource } from '../support/label-sources.js';

const CONTEXT = { baseUrl: 'https://parcels.test' };

function compose(...sources: ReturnType<typeof labelSource>[]) {
  return composeLabels(sources, DEFAULT_LABEL_OPTIONS, CONTEXT);
}

async function htmlOf(...sources: ReturnType<typeof labelSource>[]): Promise<string> {
  const document = await compose(...sources);
  return await renderHtml(document, sheetsOf(document), { logo: null });
}

test('labels: method and paper come from the license, else from the account', (t) => {
  const of = (license: string, account: string) =>
    labelSource({
      license: { labelMethod: license, labelType: license },
      account: { labelMethod: account, labelType: account },
    });

  t.true(isBuiltinMethod(of('', 'builtin')));
  t.false(isBuiltinMethod(of('carrier', 'builtin')));
  t.true(isBuiltinMethod(of('builtin', 'carrier')));
  t.true(isBuiltinMethod(of('', '')));
  t.is(labelTypeOf(of('', 'A4')), 'A4');
  t.is(labelTypeOf(of('thermal', 'A4')), 'thermal');
  t.is(labelTypeOf(of('a4', '')), 'A4');
  t.is(labelTypeOf(of('something', 'A4')), 'thermal');
});

test('composeLabels: one label per package, and one for a return', async (t) => {
  const { labels } = await compose(labelSource({ shipment: { packages: 3, returnType: 2 } }));

  t.deepEqual(
    labels.map((label) => [label.kind, label.package.number, label.package.of]),
    [
      ['delivery', 1, 3],
      ['delivery', 2, 3],
      ['delivery', 3, 3],
      ['return', 1, 1],
    ],
  );
  t.is(labels[0]?.to.name, 'Dana Levi');
  t.is(labels[3]?.to.name, 'Demo Shop');
  t.is(labels[3]?.from.name, 'Dana Levi');
});

test('composeLabels: a collection goes from the recipient to the merchant', async (t) => {
  const { labels } = await compose(labelSource({ shipment: { serviceType: 2 } }));

  t.is(labels[0]?.kind, 'collection');
  t.is(labels[0]?.from.name, 'Dana Levi');
  t.is(labels[0]?.to.name, 'Demo Shop');
  t.deepEqual(labels[0]?.badges, ['COLLECTION']);
});

test('composeLabels: only the first package of the outward way shows cash', async (t) => {
  const cod = { amount: '120.00', currency: 'ILS' };

  const { labels } = await compose(labelSource({ shipment: { cod, packages: 3, returnType: 2 } }));

  t.deepEqual(
    labels.map((label) => [label.cash, label.paidWithFirst]),
    [
      [cod, false],
      [null, true],
      [null, true],
      [null, false],
    ],
  );
});

test("composeLabels: products follow the license's switches", async (t) => {
  const items = [
    { name: 'Shirt', sku: 'S-1', variation: 'Blue', quantity: 2, virtual: false },
    { name: 'Voucher', sku: 'V-1', variation: null, quantity: 1, virtual: true },
  ];
  const of = async (flags: object) => (await compose(labelSource({ items, flags }))).labels[0]?.products;

  t.deepEqual(await of({}), []);
  t.deepEqual(await of({ products: true }), [{ quantity: 2, text: 'Shirt', sku: null }]);
  t.deepEqual(await of({ productsOnLabelNotes: true, variations: true }), [
    { quantity: 2, text: 'Shirt · Blue', sku: null },
  ]);
  t.deepEqual(await of({ productsOnA4LabelNotes: true }), []);
  t.deepEqual(await of({ products: true, productSkus: true }), [{ quantity: 2, text: '', sku: 'S-1' }]);
  t.deepEqual(await of({ products: true, productNames: true, productSkus: true, virtualProducts: true }), [
    { quantity: 2, text: 'Shirt', sku: 'S-1' },
    { quantity: 1, text: 'Voucher', sku: 'V-1' },
  ]);
});

test("composeLabels: a label for a pickup point names the point instead of the recipient's address", async (t) => {
  const point = { ...placeInWords('Kiosk 24/7'), street: 'הרצל', number: '12', city: 'חיפה' };
  const home = { street: 'Dizengoff', number: '99', floor: '3', city: 'Haifa' };
  const toOf = async (pickupPlace: PickupPlace, city = 'Haifa') => {
    const shipment = { pickupPointId: '1002' };
    const { labels } = await compose(labelSource({ shipment, recipient: { ...home, city }, pickupPlace }));
    return labels[0]?.to;
  };

  t.like(await toOf(point, 'Tel Aviv'), { street: 'Kiosk 24/7', rooms: ['הרצל 12'], city: 'חיפה' });
  const inWords = placeInWords('Kiosk, Herzl 12, HAIFA');
  t.like(await toOf(inWords), { street: 'Kiosk, Herzl 12, HAIFA', rooms: [], city: 'Haifa' });
  t.like(await toOf(inWords, 'Tel Aviv'), { street: 'Kiosk, Herzl 12, HAIFA', rooms: [], city: '' });
});

test('composeLabels: a point is named by its complete code or not at all', async (t) => {
  const badges = async (pickupPointId: string) =>
    (await compose(labelSource({ shipment: { pickupPointId } }))).labels[0]?.badges;

  t.deepEqual(await badges('1002'), ['PICKUP POINT 1002']);
  t.deepEqual(await badges('7d5b0a52-6a0e-4a58-9d4c-0c5f9a4b1e01'), ['PICKUP POINT']);
});

test("composeLabels: the carrier has its name in the merchant's language", async (t) => {
  const carrier = { id: 1, name: 'Independent couriers', provider: 'independent' };
  const named = async (locale: string) =>
    (await compose(labelSource({ shipment: { carrier }, account: { locale } }))).labels[0]?.carrier;

  t.is(await named('he'), 'שליח של החנות');
  t.is(await named('en'), 'The shop’s own courier');
  t.is(await named('fr'), 'The shop’s own courier');
});

test('composeLabels: the order number has a barcode if the account wants one and it fits', async (t) => {
  const of = async (number: string, orderNumberBarcode: boolean) => {
    const source = labelSource({
      shipment: { order: { rowId: 1, id: '1', number } },
      account: { orderNumberBarcode },
    });
    return (await compose(source)).labels[0]?.orderBarcode;
  };

  t.true(await of('#1001', true));
  t.false(await of('#1001', false));
  t.false(await of('הזמנה 7', true));
});

test('sheetsOf: a sheet begins at the chosen slot and continues on the next', async (t) => {
  const sources = Array.from({ length: 9 }, () => labelSource());

  const document = await composeLabels(sources, { labelType: 'A4', position: 3, sort: undefined }, CONTEXT);
  const sheets = sheetsOf(document);

  t.deepEqual(
    sheets.map((sheet) => sheet.map((label) => (label === null ? 0 : 1))),
    [
      [0, 0, 1, 1, 1, 1, 1, 1],
      [1, 1, 1],
    ],
  );
});

test('sheetsOf: a roll has no blank slots', async (t) => {
  const document = await composeLabels(
    [labelSource()],
    { labelType: 'thermal', position: 5, sort: undefined },
    CONTEXT,
  );

  t.is(sheetsOf(document).length, 1);
});

test('warehouseLocation: found in both forms of meta data', (t) => {
  t.is(warehouseLocation({ warehouse_location: ' A-1 ' }), 'A-1');
  t.is(warehouseLocation([{ key: '_shelf', value: 12 }]), '12');
  t.is(warehouseLocation([{ key: 'other', value: 'x' }, null, 'text']), null);
  t.is(warehouseLocation({ warehouse_location: '' }), null);
  t.is(warehouseLocation('A-1'), null);
});

test('sortByWarehouse: sorts numerically, labels without location last', (t) => {
  const at = (value: string | null) => labelSource({ warehouseLocation: value });
  const sources = [at('A-10'), at(null), at('A-2'), at('B-1')];
  const order = (sort: 'asc' | 'desc' | null) =>
    sortByWarehouse(sources, sort).map((source) => source.warehouseLocation);

  t.deepEqual(order('asc'), ['A-2', 'A-10', 'B-1', null]);
  t.deepEqual(order('desc'), ['B-1', 'A-10', 'A-2', null]);
  t.deepEqual(order(null), ['A-10', null, 'A-2', 'B-1']);
});

test('composeLabels: a direction alone sorts nothing, but reverses sorted labels', async (t) => {
  const shelves = async (sortByWarehouse: boolean, sort: 'asc' | null | undefined) => {
    const { labels } = await composeLabels(
      ['A', 'C', 'B'].map((value) => labelSource({ warehouseLocation: value, account: { sortByWarehouse } })),
      { ...DEFAULT_LABEL_OPTIONS, sort, direction: 'desc' },
      CONTEXT,
    );
    return labels.map((label) => label.shelf);
  };

  t.deepEqual(await shelves(false, undefined), ['A', 'C', 'B']);
  t.deepEqual(await shelves(true, null), ['A', 'C', 'B']);
  t.deepEqual(await shelves(true, undefined), ['C', 'B', 'A']);
  t.deepEqual(await shelves(false, 'asc'), ['C', 'B', 'A']);
});

test('composeLabels: the account decides on sorting when the caller does not', async (t) => {
  const at = (value: string) => labelSource({ warehouseLocation: value, account: { sortByWarehouse: true } });
  const sources = [at('B'), at('A')];
  const shelves = async (sort: 'asc' | null | undefined) => {
    const { labels } = await composeLabels(sources, { ...DEFAULT_LABEL_OPTIONS, sort }, CONTEXT);
    return labels.map((label) => label.shelf);
  };

  t.deepEqual(await shelves(undefined), ['A', 'B']);
  t.deepEqual(await shelves(null), ['B', 'A']);
});

test('composeLabels: equal documents have equal hashes, and any visible change alters them', async (t) => {
  const hashOf = async (source: ReturnType<typeof labelSource>) => (await compose(source)).hash;
  const base = await hashOf(labelSource());
  const others = await Promise.all(
    [
      labelSource({ recipient: { name: 'Dana Lev' } }),
      labelSource({ details: { urgent: true } }),
      labelSource({ account: { locale: 'he' } }),
      labelSource({ account: { companyLogo: 'https://logo.test/a.png' } }),
      labelSource({ license: { labelType: 'A4' } }),
      labelSource({ warehouseLocation: 'A' }),
    ].map(hashOf),
  );

  t.is(await hashOf(labelSource()), base);
  t.is(new Set([base, ...others]).size, others.length + 1);
  t.regex(base, /^[0-9a-f]{64}$/);
});

test('renderHtml: hostile texts are escaped and lose direction marks', async (t) => {
  const text = '<img src=http://evil.test/x>"\'</style><script>\u202ealert(1)\u0000';
  const html = await htmlOf(
    labelSource({
      shipment: {
        order: { rowId: 1, id: '1', number: text },
        carrier: { id: 1, name: text, provider: 'x' },
      },
      recipient: { name: text, company: text, street: text, city: text, phone: text, floor: text },
      details: { note: text, extraNote: text },
      flags: ALL_FLAGS,
      items: [{ name: text, sku: text, variation: text, quantity: 1, virtual: false }],
      warehouseLocation: text,
      account: { companyName: text, orderNumberBarcode: true },
      collectFrom: { company: text, street: text },
    }),
  );

  for (const trace of ['<img', '<script', '\u202e', '\u0000']) t.false(html.includes(trace));
  t.is(html.split('</style>').length, 2);
  t.regex(html, /&lt;img src=http:\/\/evil\.test\/x&gt;/);
});

test('renderHtml: a page holds exactly the fonts that its texts need', (t) => {
  const latin = fontFaces('Dana');
  const hebrew = fontFaces('דנה');
  const arabic = fontFaces('محمد');

  t.is(latin.match(/@font-face/g)?.length, 2);
  t.is(hebrew.match(/@font-face/g)?.length, 4);
  t.regex(arabic, /U\+0600-06FF/);
  t.false(/url\((?!data:)/.test(hebrew + arabic));
});

test("renderHtml: a label has the package's fonts for each script, large ones in slices", async (t) => {
  const facesOf = (text: string) => fontFaces(text).match(/@font-face/g)?.length;
  const nameOf = async (name: string) =>
    (await compose(labelSource({ recipient: { name } }))).labels[0]?.to.name;

  t.is(facesOf('አበበ'), 4);
  t.is(facesOf('თამარ Արամ'), 6);
  t.regex(fontFaces('李'), /'Noto Sans Document Wide';font-weight:100 900;.*unicode-range:U\+674e}$/);
  t.true(fontFaces('李小龙北京市').length < 600_000);
  t.is(await nameOf('Dana 🚀 👨‍👩‍👧 Levi 🇮🇱👍🏽 ©'), 'Dana Levi ©');
  t.is(await nameOf('नेपाल क्‍ष'), 'नेपाल क्‍ष');
  t.is(await nameOf('ᏣᎳᎩ ⛄'), '???');
});

test("renderHtml: a cancelled shipment's label is marked in its language", async (t) => {
  const at = '2026-11-21T09:30:00.123456Z';
  const status = { code: 'cancelled', description: 'Cancelled', at } as const;
  const of = (locale: string) => labelSource({ shipment: { status, packages: 2 }, account: { locale } });

  const english = await htmlOf(of('en'), labelSource());

  t.is(english.split('<div class="void"><b>CANCELLED</b></div></article>').length - 1, 2);
  t.regex(await htmlOf(of('he')), /<div class="void"><b>מבוטל</);
  t.regex(await htmlOf(of('ar')), /<div class="void"><b>ملغى</);
  t.not((await compose(of('en'))).hash, (await compose(labelSource({ shipment: { packages: 2 } }))).hash);
});

for (const labelType of ['A4', 'thermal'] as const) {
  test(`${labelType}: the sender of a collection has phone and whole name beside every box`, async (t) => {
    const name = 'Maximiliane von Hohenzollern-Sigmaringen';
    const cod = { amount: '12349.90', currency: 'ILS' };
    const source = labelSource({
      shipment: { serviceType: 2, returnType: 2, packages: 2, cod },
      recipient: { name },
      details: { urgent: true },
    });
    const document = await composeLabels([source], { ...DEFAULT_LABEL_OPTIONS, labelType }, CONTEXT);

    const page = await renderHtml(document, sheetsOf(document), { logo: null });

    const [, sender = ''] = /<div class="from">(.*?)<\/article>/s.exec(page) ?? [];
    t.true(sender.includes(`<b><bdi>${name}</bdi></b>`));
    t.true(sender.includes('<bdi dir="ltr">050-1234567</bdi>'));
    const lines = Number(/^<div class="clamp(?: c|[^>]*line-clamp:)(\d)/.exec(sender)?.[1]);
    t.true(lines >= 2 && (labelType === 'A4' || lines >= 4), sender);
  });
}

test('captions: products left out are counted', (t) => {
  const said = ['en', 'he', 'ar'].map((locale) => [1, 2, 5, 11].map(captionsOf(locale).more));

  t.deepEqual(said, [
    ['and 1 more item', 'and 2 more items', 'and 5 more items', 'and 11 more items'],
    ['ועוד פריט אחד', 'ועוד 2 פריטים', 'ועוד 5 פריטים', 'ועוד 11 פריטים'],
    ['وصنف آخر', 'وصنفان آخران', 'و5 أصناف أخرى', 'و11 صنفًا آخر'],
  ]);
});

test("renderHtml: a label has the merchant's language and direction", async (t) => {
  t.is(captionsOf('he-IL').direction, 'rtl');
  t.is(captionsOf('iw').language, 'he');
  t.is(captionsOf('ar').language, 'ar');
  t.is(captionsOf('fr').language, 'en');
  t.regex(await htmlOf(fullHebrewSource()), /<html lang="he">.*dir="rtl".*לגבייה/s);
});

test('renderHtml: Arabic texts have enough height in any language', async (t) => {
  const recipient = { name: 'محمد الخطيب', street: 'شارع بولس السادس', city: 'חיפה' };

  const hebrew = await htmlOf(labelSource({ recipient, account: { locale: 'he' } }));
  const arabic = await htmlOf(labelSource({ recipient, account: { locale: 'ar' } }));

  const tall = [...hebrew.matchAll(/class="fit (\w+)" style="[^"]*;line-height:1\.4"/g)].map(
    ([, name]) => name,
  );
  t.deepEqual(tall, ['name', 'street']);
  t.notRegex(arabic, /style="[^"]*line-height/);
});

test('fitSize: texts shrink to their room, never below the smallest size', (t) => {
  const room = { widthMm: 60, heightMm: 7, largest: 16, smallest: 7 };

  t.is(fitSize('Dana', room), 16);
  t.true(fitSize('Maximilian Alexander von Hohenlohe', room) < 13);
  t.is(fitSize('x'.repeat(10_000), room), 7);
  t.is(linesOf('one two', 10, 100), 1);
  t.true(linesOf('x'.repeat(500), 10, 60) > 10);
});

test('middleCutter: replaces the middle, between words if possible', (t) => {
  t.is(middleCutter('WEB-2026-0001234')(11), 'WEB-2…01234');
  t.is(middleCutter('ring the bell twice, never in front of the door')(30), 'ring the bell…of the door');
  t.is(middleCutter('short')(5), 'short');
});

test('renderHtml: an order number and a note of any length keep both ends', async (t) => {
  const number = `BEGIN-${'x'.repeat(150)}-0001234`;
  const note = `The gate code is 4471 ${'word '.repeat(190)} never in front of the door`;
  const source = labelSource({
    shipment: { packages: 1, order: { rowId: 1, id: '1', number } },
    details: { note },
    flags: ALL_FLAGS,
    items: Array.from({ length: 12 }, (_, index) => ({
      name: `Thing ${index}`,
      sku: null,
      variation: null,
      quantity: 1,
      virtual: false,
    })),
  });

  const page = await htmlOf(source);

  t.regex(page, /<bdi>BEGIN-x+…x+-0001234<\/bdi>/);
  t.regex(page, /<bdi>The gate code is 4471 [^<]*…[^<]*never in front of the door<\/bdi>/);
  t.notRegex(page, /Thing/);
});

test('renderHtml: counts the products that are not shown', async (t) => {
  const items = Array.from({ length: 40 }, () => ({
    name: 'Shirt',
    sku: null,
    variation: null,
    quantity: 1,
    virtual: false,
  }));

  const page = await htmlOf(labelSource({ items, flags: { products: true } }));

  t.regex(page, /<li>and \d+ more items</);
});

test('renderHtml: counts also the products that were not read', async (t) => {
  const item = { name: 'Shirt', sku: null, variation: null, quantity: 1, virtual: false };
  const flags = { products: true };

  const read = await htmlOf(labelSource({ items: Array(40).fill(item), flags }));
  const partly = await htmlOf(labelSource({ items: Array(40).fill(item), flags, moreItems: 5 }));
  const none = await htmlOf(labelSource({ items: [{ ...item, virtual: true }], flags, moreItems: 5 }));

  const others = (page: string) => Number(/and (\d+) more/.exec(page)?.[1]);
  t.is(others(partly), others(read) + 5);
  t.is(others(none), 5);
});

test('renderHtml: a single package has no number; date and sender are one text', async (t) => {
  const single = await htmlOf(labelSource({ account: { locale: 'he' } }));

  t.notRegex(single, /1\/1/);
  t.regex(single, /2026-11-21/);
  t.regex(single, /<bdi>HaMasger 20, Tel Aviv<\/bdi>/);
  t.regex(await htmlOf(labelSource({ shipment: { packages: 2 } })), /1\/2/);
});

test('renderHtml: amounts are grouped', (t) => {
  t.is(moneyText({ amount: '123456.90', currency: 'ILS' }), '₪123,456.90');
  t.is(moneyText({ amount: '999.00', currency: 'ILS' }), '₪999.00');
  t.is(moneyText({ amount: '1234567.00', currency: 'CHF' }), '1,234,567.00 CHF');
});

test('labelFileName: the tracking code, or the number of labels', (t) => {
  t.is(labelFileName(['RMD99']), 'label-RMD99.pdf');
  t.is(labelFileName(['a"b/../c\r\n']), 'label-abc.pdf');
  t.is(labelFileName([null]), 'label.pdf');
  t.is(labelFileName(['1', '2', null]), 'labels-3.pdf');
});

test('clean: one printable line of at most the given length', (t) => {
  t.is(clean('  a\n\tb\u202e c ', 20), 'a b c');
  t.is(clean('abcdef', 4), 'abc…');
  t.is(clean('\u0000\u200f', 5), '');
});

/** Number of event loop turns during the work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const other = () => {
    turns += 1;
    if (!isDone) setImmediate(other);
  };
  setImmediate(other);
  await work();
  isDone = true;
  return turns;
}

test('renderHtml: yields to other work after each page', async (t) => {
  const document = await compose(labelSource({ shipment: { packages: 20 } }));

  const turns = await turnsDuring(() => renderHtml(document, sheetsOf(document), { logo: null }));

  t.true(turns >= 20, `${turns} turns`);
});

test('composeLabels: yields to other work after each shipment', async (t) => {
  const sources = Array.from({ length: 20 }, () => labelSource());

  const turns = await turnsDuring(() => compose(...sources));

  t.true(turns >= 19, `${turns} turns`);
});

/** A shipment whose order has a hundred lines, all on its labels. */
function longOrder(packages: number): ReturnType<typeof labelSource> {
  const items = Array.from({ length: 100 }, (_, index) => ({
    name: `Thing ${index} ${'x'.repeat(100)}`,
    sku: `SKU-${index}`,
    variation: 'Blue',
    quantity: 1,
    virtual: false,
  }));
  return labelSource({ shipment: { packages }, items, flags: ALL_FLAGS });
}

test("composeLabels: an order's products cost once for all packages", async (t) => {
  const msOf = async (packages: number) => {
    const order = longOrder(packages);
    const started = performance.now();
    await compose(order);
    return performance.now() - started;
  };
  const least = { one: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY };

  // Alternating, so that both meet the same machine load.
  for (let round = 0; round < 20; round += 1) {
    least.one = Math.min(least.one, await msOf(1));
    least.many = Math.min(least.many, await msOf(99));
  }

  const ratio = least.many / least.one;
  t.true(ratio < 16, `99 packages take ${ratio} times the time of one`);
});

test('composeLabels: labels without repeated products have the hash of their JSON', async (t) => {
  const { hash, ...content } = await compose(longOrder(1), labelSource({ shipment: { packages: 2 } }));

  const text = JSON.stringify([DESIGN_VERSION, content]);
  t.is(hash, createHash('sha256').update(text).digest('hex'));
});
