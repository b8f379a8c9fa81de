import test from 'ava';
import { startHttp } from '../support/http.js';

test('orders come with the addresses as they are stored, whatever is in them', async (t) => {
  const http = await startHttp();
  t.teardown(() => http.close());
  const as = await http.account();
  const license = await http.license(as.id);
  const id = await http.order(as.id, license, 'A-1');
  const billing = '{"b":  "\\"billing\\":{},\\"shipping\\":{} $& é", "shipping": {}}';
  const shipping = '{"billing": {}, "shipping": {}, "city": "חיפה"}';
  await http.db.run('UPDATE orders SET billing = ?, shipping = ? WHERE id = ?', [billing, shipping, id]);
  const [stored] = await http.db.select('SELECT billing, shipping FROM orders WHERE id = ?', [id]);

  const list = await http.send('GET', '/orders', { as });
  const one = await http.send('GET', '/orders/A-1', { as });

  for (const { text } of [list, one]) {
    t.true(text.includes(`"billing":${stored?.billing},"shipping":${stored?.shipping},"created_at"`), text);
  }
  const addresses = { billing: JSON.parse(billing), shipping: JSON.parse(shipping) };
  t.like(list.body.data[0], { id, ...addresses });
  t.like(one.body.data, { id, ...addresses });
});

test('a page of orders ends before their addresses are megabytes, forwards and backwards', async (t) => {
  const http = await startHttp();
  t.teardown(() => http.close());
  const as = await http.account();
  const license = await http.license(as.id);
  const large = JSON.stringify({ note: 'x'.repeat(800_000) });
  for (const name of ['A', 'B', 'C', 'D', 'E']) {
    const id = await http.order(as.id, license, name);
    await http.db.run('UPDATE orders SET billing = ? WHERE id = ?', [large, id]);
  }
  const read = (cursor: string) => http.send('GET', `/orders?per_page=100${cursor}`, { as });
  const names = ({ body }: Awaited<ReturnType<typeof read>>) =>
    body.data.map((order: { order_id: string }) => order.order_id).join('');

  const pages = [await read('')];
  for (let next = pages[0]?.body.meta.next_cursor; next; next = pages.at(-1)?.body.meta.next_cursor) {
    pages.push(await read(`&cursor=${next}`));
  }
  const back = await read(`&cursor=${pages.at(-1)?.body.meta.prev_cursor}`);

  t.deepEqual([...pages.map(names), names(back)], ['ED', 'CB', 'A', 'CB']);
  t.is(pages[0]?.body.meta.per_page, 100);
});
