import test from 'ava';
import { LIMITS } from '../../../src/lib/limits/values.js';
import { startHttp } from '../../support/http.js';
import { askPanel, cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

test('GET /panel/a/{account}/refused: pages show each once, also where later rows are of earlier times', async (t) => {
  const { id } = await http.account();
  const license = await http.license(id);
  const cookie = await cookieOf(http, 'staff', id);
  const uuids: string[] = [];
  for (let number = 0; number < LIMITS.panel.pageRows + 3; number += 1) {
    // The last two are of one moment.
    const minute = String(Math.max(1, LIMITS.panel.pageRows + 2 - number)).padStart(2, '0');
    const columns = {
      state: 'refused',
      tracking_code: null,
      created_at: `2026-01-02 03:${minute}:00.000000`,
    };
    uuids.push((await http.shipment(id, license, { orderId: `refused-${number}`, columns })).uuid);
  }
  const ask = async (query: string) =>
    (await askPanel(`${http.url}/panel/a/${id}/refused${query}`, { headers: { cookie } })).text;

  const first = await ask('');
  const [, next = ''] = /class="pages"><a href="([^"]+)"/.exec(first) ?? [];
  const second = await ask(next.replaceAll('&amp;', '&'));

  const seen = [first, second].flatMap((text) =>
    [...text.matchAll(/shipments\/new\?from=([0-9a-f-]{36})/g)].map(([, uuid = '']) => uuid),
  );
  t.is(new Set(seen).size, seen.length);
  t.deepEqual([...seen].sort(), [...uuids].sort());
});
