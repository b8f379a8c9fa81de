import test from 'ava';
import { startApiStack } from '../support/api-client.js';
import { eventually } from '../support/conditions.js';
import { uploadOrders } from '../support/import-drafts.js';
import { askPanel, cookieOf } from '../support/panel.js';
import { formsIn } from '../support/panel-forms.js';
import { patient } from '../support/patience.js';
import { SHOPS, shopFile } from '../support/shop-files.js';

const { stack, api } = await startApiStack();
test.after.always(() => stack.close());

for (const [index, shop] of SHOPS.entries()) {
  test.serial(
    `POST /imports/new: ${shop}’s 300 orders are booked once each when their twelve faults are mended`,
    async (t) => {
      t.timeout(patient(240_000));
      const { orderIds, faults, ...file } = await shopFile(shop, { first: 1001 + index * 1000 });
      const cookie = await cookieOf(stack, 'staff', stack.account.id);
      const base = `${api.url}/panel/a/${stack.account.id}`;
      const fields = { license: stack.account.licenseIds.run ?? '' };
      const ask = async (path: string, form?: [string, string][]) =>
        await askPanel(`${api.url}${path}`, { ...(form === undefined ? {} : { form }), headers: { cookie } });
      const before = new Set((await stack.sandbox.ledger()).map(({ code }) => code));

      const sent = await uploadOrders(base, cookie, { ...file, fields });
      t.is(sent.status, 303, sent.text);
      const draft = sent.to ?? '';
      const { text } = await ask(draft);
      const mend = formsIn(text, draft).find(({ html }) => html.includes('class="mend"'));

      t.true(text.includes('288 ready · 12 need you'), text);
      const shown = [...text.matchAll(/<fieldset><legend>Row (\d+)[\s\S]*?<\/fieldset>/g)].map(
        ([html, line]) => ({
          line: Number(line),
          cells: [...html.matchAll(/class="error" id="r\d+\.([^"]+)-error"/g)].map(([, cell]) => cell),
        }),
      );
      t.deepEqual(
        shown,
        faults.map(({ line, cell }) => ({ line, cells: [cell] })),
      );

      const right = faults.map(({ cell, right: value }) => ({ cell, value }));
      const typed = (mend?.fields ?? [])
        .filter(([name]) => name.startsWith('r'))
        .map(([name], at): [string, string] => {
          t.true(name.endsWith(right[at]?.cell ?? ''), name);
          return [name, right[at]?.value ?? ''];
        });
      const was = (mend?.fields ?? []).filter(([name]) => name === 'was');
      await ask(`${draft}/rows`, [...was, ...typed]);
      const mended = await ask(draft);
      t.true(mended.text.includes('300 ready'), mended.text);
      t.false(mended.text.includes('need you'));

      await Promise.all([1, 2].map(() => ask(`${draft}/book`, [['round', '0']])));
      await eventually(
        async () => (await stack.sandbox.ledger()).length >= before.size + orderIds.length,
        'all orders to be booked',
        180_000,
      );
      const booked = (await stack.sandbox.ledger()).filter(({ code }) => !before.has(code));
      t.is(booked.length, 300);
      const rows = await stack.db.select(
        `SELECT o.order_id FROM shipments s JOIN orders o ON o.id = s.order_id
         WHERE s.uuid IN (${booked.map(() => '?').join(', ')}) ORDER BY o.order_id`,
        booked.map(({ reference }) => reference),
      );
      t.deepEqual(
        rows.map((row) => row.order_id),
        orderIds.toSorted(),
      );
    },
  );
}
