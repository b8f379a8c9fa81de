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
  messageId: 'one',
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

test('the page lists the mails, the newest first, and a mail is shown where nothing of it runs or is loaded', async (t) => {
  const { url, mailer } = await start(t);
  await mailer.send({ ...MAIL, fromName: 'חנות' });
  await mailer.send({ ...MAIL, subject: 'Second', attachments: [], html: '' });

  const list = await fetch(url);
  const listed = await list.text();
  const shown = await fetch(`${url}/mails/1`);
  const text = await (await fetch(`${url}/mails/1/text`)).text();
  const plain = await fetch(`${url}/mails/2`);
  const file = await fetch(`${url}/mails/1/attachments/0`);
  const eml = await fetch(`${url}/mails/1/mail.eml`);

  t.true(listed.indexOf('Second') < listed.indexOf('שלום &lt;script&gt;alert(1)&lt;/script&gt;'));
  t.true(listed.includes('<bdi>חנות</bdi> <bdi dir="ltr">&lt;no-reply@parcels.test&gt;</bdi>'));
  t.true(listed.includes('<bdi>דוח.csv</bdi>'));
  t.notRegex(listed, /<script|<style|style=| on\w+=/);
  t.regex(list.headers.get('content-security-policy') ?? '', /^default-src 'none'; img-src data:;/);
  t.true((await shown.text()).includes('<b>Hello</b>'));
  t.is(
    shown.headers.get('content-security-policy'),
    "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  );
  t.is(text, 'Hello & good day');
  t.regex(plain.headers.get('content-type') ?? '', /^text\/plain/);
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

test('the newest mails are kept within a number', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mail-catcher-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const limits = { mails: 2, bytes: 1024 * 1024 };
  const { url, mailer } = await start(t, folder, limits);
  for (const subject of ['One', 'Two', 'Three']) await mailer.send({ ...MAIL, subject });

  const mails: any = await (await fetch(`${url}/api/mails`)).json();
  const gone = await fetch(`${url}/mails/1`);
  const again = await start(t, folder, { ...limits, mails: 1 });
  const left: any = await (await fetch(`${again.url}/api/mails`)).json();

  t.deepEqual(
    mails.map((mail: { subject: string }) => mail.subject),
    ['Two', 'Three'],
  );
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
    t.is((await box.open(11))?.source.length, 5000);
    box.clear();
    t.is(box.count, 0);
    if (folder !== null) t.deepEqual(readdirSync(folder), []);
  });
}

test('another site can neither read nor empty the inbox', async (t) => {
  const { url } = await start(t);

  const cleared = await fetch(`${url}/api/mails`, {
    method: 'DELETE',
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  const read = await statusFor(url, 'evil.test');

  t.is(cleared.status, 403);
  t.is(read, 403);
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
