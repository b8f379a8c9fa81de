import { randomUUID } from 'node:crypto';
import test from 'ava';
import { LIMITS } from '../../../src/lib/limits/values.js';
import { startHttp } from '../../support/http.js';
import { cookieOf } from '../../support/panel.js';

const http = await startHttp();
test.after.always(() => http.close());

test('POST /panel/a/{account}/imports/new: a file that was sent after the session’s end is asked for by its name', async (t) => {
  const { id } = await http.account();
  const [first, second] = [await http.license(id), await http.license(id)];
  const url = `${http.url}/panel/a/${id}/imports/new`;
  const send = async (form: FormData, headers: Record<string, string> = {}) =>
    await fetch(url, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });
  const line = `Dana,${'x'.repeat(500)}\n`;
  const lines = Math.ceil(LIMITS.panel.formBytes / line.length);
  const file = new File([`name,remark\n${line.repeat(lines)}`], 'orders & more.csv');
  const form = new FormData();
  form.set('key', randomUUID());
  form.set('license', String(second.id));
  form.set('table', 'order\tname\n1\t"Dana"');
  form.set('file', file);

  const ended = await send(form);

  const text = await ended.text();
  t.is(ended.status, 401, text);
  t.regex(text, /Choose the file again: orders &amp; more\.csv/);
  t.regex(text, /<form method="post" enctype="multipart\/form-data"/);
  t.regex(text, /<input id="file" name="file" type="file"[^>]* required/);
  const hidden = [...text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const again = new FormData();
  for (const [, name = '', value = ''] of hidden) again.append(name, value.replaceAll('&quot;', '"'));
  t.deepEqual([...again.keys()], ['key', 'license', 'table']);
  const plain = (value: unknown) => `${value}`.replaceAll('\r\n', '\n');
  t.deepEqual([...again.values()].map(plain), [...form.values()].slice(0, 3).map(plain));
  again.set('file', file);
  const done = await send(again, { cookie: await cookieOf(http, 'owner', id) });
  t.is(done.status, 303, await done.text());
  t.regex(done.headers.get('location') ?? '', /\/imports\/[0-9a-f-]{36}$/);
  t.not(first.key, second.key);
});
