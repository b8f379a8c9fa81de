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
