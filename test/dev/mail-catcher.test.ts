import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Mailbox } from '../../src/dev/mail-catcher/mailbox.js';
import { startSmtp } from '../../src/dev/mail-catcher/smtp.js';
import { startInbox } from '../../src/dev/mail-catcher/web.js';
import { createMailer, MailError, type OutgoingMail } from '../../src/outbound/mail.js';

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

async function start(t: ExecutionContext, folder: string | null = null) {
  const box = await Mailbox.open(folder);
  const smtp = await startSmtp({ port: 0, onMail: (source) => box.add(source) });
  const inbox = await startInbox(box, smtp, 0);
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${smtp.port}`, from: 'no-reply@parcels.test' });
  const close = async () => {
    mailer.close();
    await Promise.all([smtp.close(), inbox.close()]);
  };
  t.teardown(close);
  return { url: inbox.url, mailer, smtpPort: smtp.port };
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
  const body = await fetch(`${url}/mails/1/html`);
  const file = await fetch(`${url}/mails/1/attachments/0`);
  const source = await (await fetch(`${url}/mails/1/source`)).text();

  for (const page of [listed, one]) {
    t.false(page.includes('<script'));
    t.true(page.includes('שלום &lt;script&gt;alert(1)&lt;/script&gt;'));
  }
  t.true(one.includes('Hello &amp; good day'));
  t.regex(one, /<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  t.regex(list.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  t.regex(body.headers.get('content-security-policy') ?? '', /^sandbox .*default-src 'none'/);
  t.is(file.headers.get('content-type'), 'application/octet-stream');
  t.regex(file.headers.get('content-disposition') ?? '', /^attachment/);
  t.is(await file.text(), 'a,b\r\n');
  t.regex(source, /^Message-ID: <one@parcels\.test>/im);
});

test('what is not there is 404', async (t) => {
  const { url } = await start(t);

  for (const path of ['/mails/1', '/mails/x', '/nothing', '/mails/1/attachments/0']) {
    t.is((await fetch(url + path)).status, 404, path);
  }
});

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
  await mailer.send(MAIL);
  const wrong = await fault({ kind: 'explode' });

  t.is(deferred?.kind, 'unavailable');
  t.is(wrong.status, 400);
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
