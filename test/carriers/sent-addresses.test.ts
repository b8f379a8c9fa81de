import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { COLLECTING, createVia, startWays, textsIn, WAYS } from '../support/creation-ways.js';

const { stack, url } = await startWays();
test.after.always(() => stack.close());

for (const { provider } of allCarriers()) {
  for (const way of WAYS) {
    for (const type of [1, 2]) {
      if (type === 2 && !COLLECTING.has(provider)) continue;
      test(`${provider}, ${way}, type ${type}: each part of an address arrives`, async (t) => {
        const ship_data = {
          type,
          street: 'שדרות ירושלים',
          house_no: '14',
          number: 'בית מספר שבע',
          entrance: 'כניסה-אחורית',
          floor: 'קומת-קרקע',
          apartment: 'דירת-גן',
        };

        const { answer, carrier, label } = await createVia(stack, url, { way, provider, ship_data });

        const sent = textsIn(carrier).join('\n');
        const printed = textsIn(label?.labels[0]).join('\n');
        const parts = Object.values(ship_data).filter((part) => typeof part === 'string');
        for (const part of parts) {
          t.true(printed.includes(part), `${part} on the label: ${printed || answer.text}`);
          if (provider !== 'independent') t.true(sent.includes(part), `${part} of ${sent}`);
        }
      });
    }
  }
}

const ONE_LINE = "רח' הרב קוק 14 דירה 8 קומה 3 כניסה א'";

for (const way of WAYS) {
  test(`run, ${way}: an overlong street continues in the notes`, async (t) => {
    const { carrier } = await createVia(stack, url, {
      way,
      provider: 'run',
      ship_data: { street: ONE_LINE, note: 'לצלצל' },
    });

    t.like(carrier, { P15: "רח' הרב קוק 14 דירה 8 קומה 3", P24: "כניסה א' לצלצל" });
  });

  test(`run, ${way}: an address that does not fit into the notes is refused`, async (t) => {
    const street = 'מילה '.repeat(40).trim();

    const { answer, label } = await createVia(stack, url, { way, provider: 'run', ship_data: { street } });

    t.is(label, null);
    t.regex(answer.text, /ship_data\.street/);
  });

  test(`run, ${way}: a note continues in the second field, cut at a word, and is complete on the label`, async (t) => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `מילה${index}`).join(' ');
    const fitting = words(14);
    const long = words(60);
    const order = { number: '77' };

    const whole = await createVia(stack, url, { way, provider: 'run', order, ship_data: { note: fitting } });
    const cut = await createVia(stack, url, { way, provider: 'run', order, ship_data: { note: long } });

    const noteOf = ({ P24, P25 }: Record<string, unknown>) => `${P24} ${String(P25).replace('#77 ', '')}`;
    t.is(noteOf(whole.carrier), fitting);
    t.true(long.startsWith(`${noteOf(cut.carrier)} `), noteOf(cut.carrier));
    t.true(textsIn(cut.label?.labels[0]).includes(long));
    if (way !== 'v1') return;
    t.is(whole.answer.body.warning, '');
    t.regex(cut.answer.body.warning, /note is longer/);
  });
}

for (const provider of ['getpackage', 'wolt_drive']) {
  test(`${provider}: street and notes continue where they fit, else the shipment is refused`, async (t) => {
    const street = `${'רחוב ארוך '.repeat(24)}סוף`;
    const note = `${'להשאיר אצל השכן '.repeat(40)}קוד`;

    const { carrier } = await createVia(stack, url, {
      way: 'v2',
      provider,
      ship_data: { street, number: '125' },
    });
    const cut = await createVia(stack, url, { way: 'v1', provider, ship_data: { note } });

    const sent = textsIn(carrier);
    t.true(
      sent.some((text) => text.includes('סוף 125')),
      JSON.stringify(sent),
    );
    t.regex(cut.answer.body.warning, /note is longer/, cut.answer.text);
    const longest = textsIn(cut.carrier).toSorted((a, b) => b.length - a.length)[0] ?? '';
    t.regex(longest, /(?:להשאיר|אצל|השכן)$/);
  });
}

test('open_new_order: sends the second billing line when the street comes from the billing address', async (t) => {
  const billing = { address_1: 'הרצל 50', address_2: 'דירה מאחור', city: 'חיפה' };

  const { carrier, label } = await createVia(stack, url, {
    way: 'v1',
    provider: 'run',
    ship_data: { street: null, number: null, city: null },
    order: { billing },
  });

  t.like(carrier, { P15: 'הרצל 50', P24: 'דירה מאחור' });
  t.true(textsIn(label?.labels[0]).includes('דירה מאחור'));
});
