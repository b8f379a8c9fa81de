import { createServer } from 'node:http';
import test from 'ava';
import { type Dispatcher, MockAgent } from 'undici';
import { fetchLabelFile, pdfOf } from '../../src/carriers/label-file.js';
import { createGuardedAgent } from '../../src/outbound/guarded-client.js';
import { listen } from '../support/local-server.js';

const PDF = '%PDF-1.4 …\n%%EOF\n';

/** Permits only public addresses; `names` replaces DNS. */
function guarded(names: Record<string, string> = {}): Dispatcher {
  return createGuardedAgent({
    allowedRanges: [],
    resolve: async (name) => {
      const address = names[name];
      if (address === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
      return [{ address, family: 4 }];
    },
  });
}

async function serve(t: { teardown: (close: () => Promise<void>) => void }, elsewhere = guarded()) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.end(request.url === '/a.pdf' ? PDF : '<html></html>');
  });
  const { url: origin, close } = await listen(server);
  t.teardown(close);
  const base = `${origin}/api`;
  const get = (url: string) =>
    fetchLabelFile(url, base, { timeoutMs: 1000, signal: new AbortController().signal, elsewhere });
  return { origin, asked, get };
}

test("fetchLabelFile: fetches from the carrier's own origin", async (t) => {
  const { origin, asked, get } = await serve(t);

  t.is((await get(`${origin}/a.pdf`)).kind, 'accepted');
  t.is((await get('/a.pdf')).kind, 'accepted');
  t.is((await get(`${origin}/page`)).kind, 'rejected');
  t.deepEqual(asked, ['/a.pdf ', '/a.pdf ', '/page ']);
});

test('fetchLabelFile: does not ask internal addresses', async (t) => {
  const { get } = await serve(t);
  const wrong = [
    'http://127.0.0.1:1/a.pdf',
    'http://example.com/a.pdf',
    'https://127.0.0.1/a.pdf',
    'https://[::1]/a.pdf',
    'https://localhost/a.pdf',
    'https://example.com:8443/a.pdf',
    'https://user:pass@example.com/a.pdf',
    'file:///etc/passwd',
    'http://[',
  ];

  for (const url of wrong) t.like(await get(url), { kind: 'rejected', code: 'label_address' }, url);
  t.is((await get('https://carrier.invalid/a.pdf')).kind, 'unavailable');
});

test('fetchLabelFile: does not ask a public name with an internal address', async (t) => {
  const names = { 'labels.example.com': '127.0.0.1', 'metadata.example.com': '169.254.169.254' };
  const { get } = await serve(t, guarded(names));

  for (const name of Object.keys(names)) {
    t.like(await get(`https://${name}/a.pdf`), { kind: 'rejected', code: 'forbidden_address' }, name);
  }
});

test('fetchLabelFile: fetches from another public host', async (t) => {
  const elsewhere = new MockAgent();
  elsewhere.disableNetConnect();
  elsewhere.get('https://labels.example.com').intercept({ path: '/a.pdf?b=c' }).reply(200, PDF);
  const { get } = await serve(t, elsewhere);

  const label = await get('https://labels.example.com/a.pdf?b=c');

  t.deepEqual(label, { kind: 'accepted', value: Buffer.from(PDF) });
});

test('pdfOf: accepts only complete PDFs', (t) => {
  t.is(pdfOf(Buffer.from(PDF)).kind, 'accepted');
  t.is(pdfOf(Buffer.from('%PDF-1.4 cut')).kind, 'unknown');
  t.is(pdfOf(Buffer.alloc(0)).kind, 'unknown');
});

test('pdfOf: a PDF is taken from its header on, whatever a server wrote before and behind it', (t) => {
  const whole = { kind: 'accepted', value: Buffer.from(PDF) } as const;
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n';

  for (const before of ['\ufeff', '\r\n\n', head, ' '.repeat(1024)])
    t.deepEqual(pdfOf(Buffer.from(before + PDF)), whole, before);
  t.is(pdfOf(Buffer.from(' '.repeat(1025) + PDF)).kind, 'rejected');
  t.is(pdfOf(Buffer.concat([Buffer.from(PDF), Buffer.alloc(8192)])).kind, 'accepted');
  t.is(pdfOf(Buffer.from(PDF + '<br />\n<b>Warning</b>: x'.repeat(200))).kind, 'accepted');
  const linearized = '%PDF-1.4\n1 0 obj\n<</Linearized 1>>\nendobj\n%%EOF\n2 0 obj';
  t.is(pdfOf(Buffer.from(linearized)).kind, 'unknown');
  t.is(pdfOf(Buffer.from(`${linearized}\n%%EOF`)).kind, 'accepted');
});

test('pdfOf: what is no PDF is refused, with what it is', (t) => {
  for (const [body, what] of [
    [`<html>${PDF}`, /sent a web page in place of/],
    ['\x89PNG\r\n\x1a\n\x00\x00', /sent a PNG picture/],
    ['\xff\xd8\xff\xe0\x00\x10JFIF', /sent a JPEG picture/],
    ['^XA^FO50,50^FDx^FS^XZ', /sent ZPL of label printers/],
    ['{"error":"Label is not ready"}', /sent “{"error":"Label is not ready"}”/],
    ['\xfe\xed\xfa\xce', /sent something else/],
  ] as const) {
    const label = pdfOf(Buffer.from(body, 'latin1'));
    t.like(label, { kind: 'rejected', code: 'label_no_pdf' }, body);
    t.regex(label.kind === 'rejected' ? label.text : '', what);
  }
});
