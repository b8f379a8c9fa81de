import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createMailer, MailError, type OutgoingMail } from '../../src/outbound/mail.js';
import { Mailbox, type MailboxLimits } from '../../tools/doubles/mail/mailbox.js';
import { startSmtp } from '../../tools/doubles/mail/smtp.js';
import { startInbox } from '../../tools/doubles/mail/web.js';

const MAIL: OutgoingMail = {
  to: 'dana@example.test',
  fromName: 'Acme',
  replyTo: 'help@acme.test',
  subject: 'שלום <script>alert(1)</script>',
  text: 'Hello & good day',
  html: '<html><head></head><body><script>alert(1)</script><b>Hello</b></body></html>',
  messageId: 'one@parcels.test',
  attachments: [{ filename: 'דוח.csv', contentType: 'text/csv', content: Buffer.from('a,b\r\n') }],
};

async function start(t: ExecutionContext, folder: string | null = null, limits?: MailboxLimits) {
  const box = Mailbox.open(folder, limits);
  const smtp = await startSmtp({ port: 0, onMail: (source) => box.add(source) });
  const inbox = await startInbox(box, smtp, 0);
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${smtp.port}`, from: 'no-reply@parcels.test' });
  const close = async () => {
    mailer.close();
    await Promise.all([smtp.close(), inbox.close()]);
  };
  t.teardown(close);
  return { url: inbox.url, mailer, box };
}

test('a mail is listed for programs, and DELETE empties the inbox', async (t) => {
  const { url, mailer } = await start(t);
  const before = await (await fetch(`${url}/api/mails`)).json();
  await mailer.send(MAIL);
  await mailer.send({ ...MAIL, subject: 'Second', attachments: [] });

  const mails: any = await (await fetch(`${url}/api/mails`)).json();
  const emptied = await fetch(`${url}/api/mails`, { method: 'DELETE' });
  const after = await (await fetch(`${url}/api/mails`)).json();

  t.deepEqual(before, []);
  t.deepEqual(mails[0], {
    to: 'dana@example.test',
    from: '"Acme" <no-reply@parcels.test>',
    reply_to: 'help@acme.test',
    subject: MAIL.subject,
    text: 'Hello & good day',
    html: MAIL.html,
    message_id: '<one@parcels.test>',
    attachments: [
      {
        filename: 'דוח.csv',
        content_type: 'text/csv',
        content_base64: Buffer.from('a,b\r\n').toString('base64'),
      },
    ],
  });
  t.is(mails[1].subject, 'Second');
  t.is(emptied.status, 204);
  t.deepEqual(after, []);
});

test('the pages show the mail as text, and its HTML where nothing runs and nothing is loaded', async (t) => {
  const { url, mailer } = await start(t);
  await mailer.send(MAIL);

  const list = await fetch(url);
  const listed = await list.text();
  const one = await (await fetch(`${url}/mails/1`)).text();
  const text = await (await fetch(`${url}/mails/1?view=text`)).text();
  const raw = await (await fetch(`${url}/mails/1?view=source`)).text();
  const body = await fetch(`${url}/mails/1/html`);
  const file = await fetch(`${url}/mails/1/attachments/0`);
  const eml = await fetch(`${url}/mails/1/mail.eml`);

  for (const page of [listed, one, text, raw]) {
    t.deepEqual(page.match(/<script[^>]*>/g), ['<script src="/catcher.js" type="module">']);
    t.false(/<style|style=| on\w+=/.test(page));
  }
  for (const page of [listed, one]) t.true(page.includes('שלום &lt;script&gt;alert(1)&lt;/script&gt;'));
  t.true(text.includes('Hello &amp; good day'));
  t.true(raw.includes('Message-ID: &lt;one@parcels.test&gt;'));
  t.regex(one, /<iframe [^>]*sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"/);
  t.false(one.includes('allow-scripts'));
  const policy = list.headers.get('content-security-policy') ?? '';
  t.regex(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
  t.false(policy.includes('unsafe'));
  t.regex(body.headers.get('content-security-policy') ?? '', /^sandbox [^;]*; default-src 'none'; style-src/);
  t.false(/script/.test(body.headers.get('content-security-policy') ?? ''));
  t.is(file.headers.get('content-type'), 'application/octet-stream');
  t.regex(file.headers.get('content-disposition') ?? '', /^attachment/);
  t.is(await file.text(), 'a,b\r\n');
  t.regex(eml.headers.get('content-disposition') ?? '', /^attachment; .*mail-1\.eml$/);
  t.regex(await eml.text(), /^Message-ID: <one@parcels\.test>/im);
});

test('what is not there is 404', async (t) => {
  const { url } = await start(t);

  for (const path of ['/mails/1', '/mails/x', '/nothing', '/mails/1/attachments/0', '/mails/1/mail.eml']) {
    t.is((await fetch(url + path)).status, 404, path);
  }
});

test('the list has sender, recipient, subject, time and what is attached, the newest mail first', async (t) => {
  const { url, mailer } = await start(t);
  await mailer.send({ ...MAIL, fromName: 'חנות' });
  await mailer.send({ ...MAIL, subject: 'Second', attachments: [] });

  const listed = await (await fetch(url)).text();
  const one = await (await fetch(`${url}/mails/1`)).text();

  const [second = '', first = ''] = listed.match(/<li>.*?<\/li>/gs) ?? [];
  t.true(second.includes('Second'));
  t.false(second.includes('Attachments'));
  t.true(first.includes('<bdi>חנות</bdi>'));
  t.true(first.includes('To <bdi>dana@example.test</bdi>'));
  t.regex(first, /Attachments: <\/span>1 · 5 B/);
  t.regex(first, /<time datetime="(20[^"]+Z)" title="\1">\d/);
  t.true(one.includes('<bdi>חנות</bdi> <bdi dir="ltr" class="soft">&lt;no-reply@parcels.test&gt;</bdi>'));
});

test('the search looks for every word in subject, addresses and text', async (t) => {
  const { url, mailer } = await start(t);
  await mailer.send({ ...MAIL, subject: 'Ready for pickup', text: 'At the corner KIOSK' });
  await mailer.send({ ...MAIL, subject: 'Delivered', to: 'noa@example.test', fromName: 'Outdoor' });
  const found = async (query: string) => {
    const listed = await (await fetch(`${url}/?q=${encodeURIComponent(query)}`)).text();
    return [...listed.matchAll(/href="\/mails\/(\d+)"/g)].map(([, id]) => Number(id));
  };

  t.deepEqual(await found('pickup'), [1]);
  t.deepEqual(await found('kiosk READY'), [1]);
  t.deepEqual(await found('noa@'), [2]);
  t.deepEqual(await found('outdoor'), [2]);
  t.deepEqual(await found('example.test'), [2, 1]);
  t.deepEqual(await found('kiosk delivered'), []);
});

test('the list has pages', async (t) => {
  const { url, mailer } = await start(t);
  for (let number = 1; number <= 51; number += 1) await mailer.send({ ...MAIL, attachments: [] });

  const first = await (await fetch(url)).text();
  const second = await (await fetch(`${url}/?page=2`)).text();

  t.is(first.match(/<li>/g)?.length, 50);
  t.true(first.includes('<a href="/?page=2">Older →</a>'));
  t.is(second.match(/<li>/g)?.length, 1);
  t.true(second.includes('<a href="/">← Newer</a>'));
});

test('the newest mails are kept within a number, and the page says that older ones were dropped', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-catcher-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const limits = { mails: 2, bytes: 1024 * 1024 };
  const { url, mailer } = await start(t, folder, limits);
  for (const subject of ['One', 'Two', 'Three']) await mailer.send({ ...MAIL, subject });

  const mails: any = await (await fetch(`${url}/api/mails`)).json();
  const listed = await (await fetch(url)).text();
  const gone = await fetch(`${url}/mails/1`);
  const again = await start(t, folder, { ...limits, mails: 1 });
  const left: any = await (await fetch(`${again.url}/api/mails`)).json();

  t.deepEqual(
    mails.map((mail: { subject: string }) => mail.subject),
    ['Two', 'Three'],
  );
  t.true(listed.includes('1 older one was dropped: the newest 2 are kept, up to 1 MiB.'));
  t.is(gone.status, 404);
  t.is(left.length, 1);
  t.deepEqual(readdirSync(folder), ['000003.eml']);
});

for (const isInFolder of [true, false]) {
  const where = isInFolder ? 'in a folder' : 'in memory';
  test(`the newest mails are kept within a number of bytes, ${where}`, async (t) => {
    const folder = isInFolder ? mkdtempSync(join(tmpdir(), 'mail-catcher-')) : null;
    if (folder !== null) t.teardown(() => rmSync(folder, { recursive: true }));
    const box = Mailbox.open(folder, { mails: 100, bytes: 1000 });
    for (let number = 1; number <= 10; number += 1) await box.add(Buffer.alloc(300, 'x'));

    const bounded = box.count;
    await box.add(Buffer.alloc(5000, 'x'));

    t.is(bounded, 3);
    t.is(box.count, 1);
    t.is(box.dropped, 10);
    t.is((await box.open(11))?.source.length, 5000);
    box.clear();
    t.is(box.dropped, 0);
    if (folder !== null) t.deepEqual(readdirSync(folder), []);
  });
}

test('another site can neither read nor empty the inbox', async (t) => {
  const { url } = await start(t);

  const cleared = await fetch(`${url}/clear`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  const read = await statusFor(url, 'evil.test');

  t.is(cleared.status, 403);
  t.is(read, 403);
  t.is((await fetch(`${url}/clear`, { method: 'POST', redirect: 'manual' })).status, 303);
});

test('the mails are still there after a restart', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-catcher-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const first = await start(t, folder);
  await first.mailer.send(MAIL);

  const second = await start(t, folder);
  await second.mailer.send({ ...MAIL, subject: 'After' });
  const mails: any = await (await fetch(`${second.url}/api/mails`)).json();

  t.deepEqual(
    mails.map((mail: { subject: string }) => mail.subject),
    [MAIL.subject, 'After'],
  );
});

test('it misbehaves when told to', async (t) => {
  const { url, mailer } = await start(t);
  const fault = (body: object) => fetch(`${url}/api/faults`, { method: 'POST', body: JSON.stringify(body) });

  await fault({ kind: 'defer', times: 1 });
  const deferred = await t.throwsAsync(mailer.send(MAIL), { instanceOf: MailError });
  await fault({ kind: 'defer', times: 1, to: 'somebody.else@example.com' });
  await mailer.send(MAIL);
  const wrong = [await fault({ kind: 'explode' }), await fault({ kind: 'defer', to: 7 })];

  t.is(deferred?.kind, 'unavailable');
  t.deepEqual(
    wrong.map(({ status }) => status),
    [400, 400],
  );
  t.is(((await (await fetch(`${url}/api/mails`)).json()) as unknown[]).length, 1);
});

/** The status for a request that names another host, which fetch does not let one send. */
function statusFor(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/mails`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end();
  });
}
