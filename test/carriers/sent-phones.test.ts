import test from 'ava';
import { allCarriers } from '../../src/carriers/registry.js';
import { createVia, startWays, textsIn, WAYS } from '../support/creation-ways.js';

const { stack, url } = await startWays();
test.after.always(() => stack.close());

for (const { provider } of allCarriers()) {
  for (const way of WAYS) {
    test(`${provider}, ${way}: sends one phone number, and the others elsewhere`, async (t) => {
      const contact_phone = '050-1234567 / 03-5551234 ext. 12';

      const { answer, carrier, label } = await createVia(stack, url, {
        way,
        provider,
        ship_data: { contact_phone },
      });

      const printed = textsIn(label?.labels[0]);
      t.true(printed.includes('0501234567'), answer.text);
      t.true(printed.some((text) => text.includes('03-5551234 ext. 12')));
      if (provider === 'independent') return;
      const sent = textsIn(carrier);
      const isDialled = sent.includes('0501234567') || sent.includes('+972501234567');
      t.true(isDialled, JSON.stringify(sent));
      t.true(
        sent.some((text) => text.replaceAll('-', '').includes('035551234')),
        JSON.stringify(sent),
      );
      t.true(
        sent.some((text) => text.includes('ext. 12')),
        JSON.stringify(sent),
      );
    });
  }
}

test("uses billing's phone when ship_data has none, in any script and without its zero", async (t) => {
  const of = (contact_phone: string | null, phone: string) =>
    createVia(stack, url, {
      way: 'v1',
      provider: 'run',
      ship_data: { contact_phone },
      order: { billing: { phone } },
    });

  const arabic = await of(null, '٠٥٠١٢٣٤٥٦٧');
  const short = await of('-', '501234567');
  const none = await of('n/a', 'none');

  t.is(arabic.carrier.P20, '0501234567');
  t.is(short.carrier.P20, '0501234567');
  t.is(none.answer.status, 422, none.answer.text);
  t.deepEqual(Object.keys(none.answer.body.errors), ['ship_data.contact_phone']);
});

test('run: a second number has its own field and is not in the note', async (t) => {
  const { carrier } = await createVia(stack, url, {
    way: 'v2',
    provider: 'run',
    ship_data: { contact_phone: '0501234567, 03-5551234' },
  });

  t.like(carrier, { P20: '0501234567', P21: '035551234', P24: undefined });
});

for (const way of ['v2', 'batch'] as const) {
  test(`${way}: a phone without a number to dial is refused at contact_phone`, async (t) => {
    const { answer, label } = await createVia(stack, url, {
      way,
      provider: 'independent',
      ship_data: { contact_phone: 'none' },
    });

    t.is(label, null);
    t.deepEqual(Object.keys(answer.body.error.fields), ['ship_data.contact_phone']);
  });
}

test("phoneKey: the recipient app's key is of the number to dial", async (t) => {
  const phones = ['050-7654321 / 03-5551234', '507654321', '٠٥٠٧٦٥٤٣٢١', '+972 50-765-4321 ext. 4'];

  for (const contact_phone of phones)
    await createVia(stack, url, { way: 'v2', provider: 'run', ship_data: { contact_phone } });
  const shipping = { phone: 'n/a' };
  await createVia(stack, url, {
    way: 'v2',
    provider: 'run',
    ship_data: { contact_phone: '0507654321' },
    order: { shipping },
  });

  const [row] = await stack.db.select(
    "SELECT COUNT(*) AS found FROM shipments WHERE recipient_phone_key = '0507654321'",
    [],
  );
  t.is(Number(row?.found), phones.length + 1);
});
