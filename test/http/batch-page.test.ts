import test from 'ava';
import { creationBody, startHttp } from '../support/http.js';

test('GET /batches: a page ends before its items are megabytes, and stored bodies come as they were sent', async (t) => {
  const http = await startHttp();
  t.teardown(() => http.close());
  const as = await http.account();
  await http.license(as.id);
  const large = (name: string) => {
    const body = creationBody({ order: { id: name } });
    return { ...body, order: { ...body.order, meta_data: { text: '"payload":null $& é'.repeat(35_000) } } };
  };
  const sent = [1, 2, 3].map((n) => [large(`${n}-a`), large(`${n}-b`)]);
  for (const items of sent) await http.send('POST', '/batches', { as, json: items });

  const pages = [await http.send('GET', '/batches', { as })];
  for (let next = pages[0]?.body.meta.next_cursor; next; next = pages.at(-1)?.body.meta.next_cursor) {
    pages.push(await http.send('GET', `/batches?cursor=${next}`, { as }));
  }

  t.deepEqual(
    pages.map(({ status, body }) => [status, body.data.length]),
    [
      [200, 1],
      [200, 1],
      [200, 1],
    ],
  );
  t.deepEqual(
    pages.map(({ body }) => body.data[0].items.map((item: { payload: unknown }) => item.payload)),
    sent.toReversed(),
  );
});

test('GET /batches/{id}/items: a page ends before its bodies are megabytes, forwards and backwards', async (t) => {
  const http = await startHttp();
  t.teardown(() => http.close());
  const as = await http.account();
  await http.license(as.id);
  const sent = ['a', 'b', 'c', 'd', 'e'].map((id) => {
    const body = creationBody({ order: { id } });
    return { ...body, order: { ...body.order, meta_data: { text: '"payload":{} $& é'.repeat(42_000) } } };
  });
  const { body: batch } = await http.send('POST', '/batches', { as, json: sent });
  const read = (query: string) =>
    http.send('GET', `/batches/${batch.data.id}/items?per_page=100${query}`, { as });
  const orders = ({ body }: Awaited<ReturnType<typeof read>>) =>
    body.data.map((item: { payload: { order: { id: string } } }) => item.payload.order.id).join('');

  const pages = [await read('')];
  for (let next = pages[0]?.body.meta.next_cursor; next; next = pages.at(-1)?.body.meta.next_cursor) {
    pages.push(await read(`&cursor=${next}`));
  }
  const back = await read(`&cursor=${pages.at(-1)?.body.meta.prev_cursor}`);
  const first = await read(`&cursor=${back.body.meta.prev_cursor}`);
  const few = await http.send('GET', `/batches/${batch.data.id}/items?per_page=1`, { as });

  t.deepEqual(pages.map(orders), ['ab', 'cd', 'e']);
  t.deepEqual(
    pages.flatMap(({ body }) => body.data.map((item: { payload: unknown }) => item.payload)),
    sent,
  );
  t.deepEqual([orders(back), orders(first), first.body.meta.prev_cursor], ['cd', 'ab', null]);
  t.true(pages.every(({ body }) => body.meta.per_page === 100));
  t.is(orders(few), 'a');
});
