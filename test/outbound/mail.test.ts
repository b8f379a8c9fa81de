import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { SMTPServer } from 'smtp-server';
import { createMailer, MailError, type Mailer, type OutgoingMail } from '../../src/outbound/mail.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';

let server: MailServer;
let mailer: Mailer;

test.before(async () => {
  server = await startMailServer();
  mailer = createMailer({
    smtpUrl: server.url,
    from: 'Parcelworks <no-reply@parcels.test>',
    silenceTimeoutMs: 3000,
  });
});

test.beforeEach(() => {
  server.mails.length = 0;
  server.mode('accept');
});

test.after.always(async () => {
  mailer?.close();
  await server?.close();
});

const MAIL: OutgoingMail = {
  to: 'dana@example.test',
  subject: 'שלום Dana',
  text: 'plain',
  html: '<p>rich</p>',
  messageId: 'one.1',
};

test.serial('send: a mail arrives as written, with attachments', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'mail-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'large');
  await writeFile(path, 'x'.repeat(3_000_000));

  await mailer.send({
    ...MAIL,
    fromName: 'My, Shop',
    replyTo: 'shop@example.test',
    attachments: [
      { filename: 'קובץ.csv', contentType: 'text/csv', content: Buffer.from('a,b') },
      { filename: 'large.bin', contentType: 'application/octet-stream', content: { path } },
    ],
  });

  const [mail] = server.mails;
  t.is(mail?.subject, 'שלום Dana');
  t.is(mail?.text?.trim(), 'plain');
  t.is(mail?.html, '<p>rich</p>');
  t.is(mail?.messageId, '<one.1@parcels.test>');
  t.deepEqual(mail?.from?.value, [{ name: 'My, Shop', address: 'no-reply@parcels.test' }]);
  t.deepEqual(mail?.replyTo?.value, [{ name: '', address: 'shop@example.test' }]);
  t.deepEqual(
    mail?.attachments.map(({ filename, size }) => [filename, size]),
    [
      ['קובץ.csv', 3],
      ['large.bin', 3_000_000],
    ],
  );
});

test.serial('send: a mail says that no person wrote it, so that no responder answers', async (t) => {
  await mailer.send(MAIL);

  t.is(server.mails[0]?.headers.get('auto-submitted'), 'auto-generated');
  t.is(server.mails[0]?.headers.get('x-auto-response-suppress'), 'All');
});

test.serial(
  'send: the address that stops further mails takes one click, where the mail has one',
  async (t) => {
    const unsubscribeUrl = 'https://parcels.test/track/7K2M9QX4TB/mails';

    await mailer.send({ ...MAIL, unsubscribeUrl });
    await mailer.send(MAIL);

    const headers = server.mails.map(({ headerLines }) =>
      headerLines.filter(({ key }) => key.startsWith('list-')).map(({ line }) => line),
    );
    t.deepEqual(headers, [
      [`List-Unsubscribe: <${unsubscribeUrl}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
      [],
    ]);
  },
);

test.serial('send: line breaks in a name, subject or file name add no header', async (t) => {
  await mailer.send({
    ...MAIL,
    fromName: 'Shop\r\nBcc: evil@example.test',
    subject: 'Hello\r\nBcc: evil@example.test\u2028X-Evil: 1',
    attachments: [
      { filename: 'a\r\nX-Evil: 1.csv', contentType: 'text/csv\r\nX-Evil: 1', content: Buffer.from('a') },
    ],
  });

  const [mail] = server.mails;
  t.is(mail?.headers.get('bcc'), undefined);
  t.is(mail?.headers.get('x-evil'), undefined);
  t.is(mail?.subject, 'Hello Bcc: evil@example.test X-Evil: 1');
});

const NO_ADDRESSES = [
  'a@b.test, c@d.test',
  'a@b.test\r\nRCPT TO:<c@d.test>',
  'Name <a@b.test>',
  '"a b"@b.test',
  'a@b@c.test',
  'a',
  '',
  `${'a'.repeat(250)}@b.test`,
];

for (const [index, address] of NO_ADDRESSES.entries()) {
  test.serial(`send: refuses an invalid address, case ${index + 1}`, async (t) => {
    const attempts = server.attempts();

    const asRecipient = await t.throwsAsync(mailer.send({ ...MAIL, to: address }), { instanceOf: MailError });
    const asReplyTo = await t.throwsAsync(mailer.send({ ...MAIL, replyTo: address }), {
      instanceOf: MailError,
    });

    t.is(asRecipient?.kind, 'refused');
    t.is(asReplyTo?.kind, 'refused');
    t.is(server.attempts(), attempts);
  });
}

test.serial('send: HTML cannot read files or URLs', async (t) => {
  await mailer.send({ ...MAIL, html: '<img src="file:///etc/passwd"><img src="http://127.0.0.1:9/x">' });

  t.is(server.mails[0]?.attachments.length, 0);
});

const KINDS = [
  ['refuse', 'refused', 0],
  ['too_large', 'too_large', 0],
  ['defer', 'unavailable', 0],
  ['drop_after_accept', 'unknown', 1],
  ['hang', 'unknown', 0],
] as const;

for (const [mode, kind, kept] of KINDS) {
  test.serial(`send: a server that does ${mode} makes the mail ${kind}`, async (t) => {
    server.mode(mode, 1);

    const error = await t.throwsAsync(mailer.send(MAIL), { instanceOf: MailError });

    t.is(error?.kind, kind);
    t.false(error?.message.includes('dana@example.test'));
    t.is(server.mails.length, kept);
  });
}

test.serial('send: a certificate that is not trusted is named', async (t) => {
  // Its certificate is self-signed.
  const encrypted = new SMTPServer({ authOptional: true, disableReverseLookup: true });
  encrypted.on('error', () => undefined);
  await new Promise<void>((resolve) => encrypted.listen(0, '127.0.0.1', resolve));
  t.teardown(() => new Promise<void>((resolve) => encrypted.close(() => resolve())));
  const smtpUrl = `smtp://127.0.0.1:${(encrypted.server.address() as AddressInfo).port}`;
  const sendTo = (url: string) => createMailer({ smtpUrl: url, from: 'no-reply@parcels.test' }).send(MAIL);

  const error = await t.throwsAsync(sendTo(smtpUrl), { instanceOf: MailError });

  t.is(error?.kind, 'unavailable');
  t.regex(
    String(error?.message),
    /^The mail server was not used: its certificate is not trusted \((?:self-signed|expired)\)\.$/,
  );
  await t.notThrowsAsync(sendTo(`${smtpUrl}?ignoreTLS=true`));
  await t.notThrowsAsync(sendTo(`${smtpUrl}?tls.rejectUnauthorized=false`));
});

test.serial('send: a connection cut during the message delivered nothing', async (t) => {
  server.mode('drop_before', 1);
  const content = Buffer.alloc(8_000_000, 'x');

  const error = await t.throwsAsync(
    mailer.send({
      ...MAIL,
      attachments: [{ filename: 'a.bin', contentType: 'application/octet-stream', content }],
    }),
    { instanceOf: MailError },
  );

  t.is(error?.kind, 'unavailable');
  t.is(server.mails.length, 0);
});

test.serial('send: a missing attachment fails the mail, which may be retried', async (t) => {
  const attachment = { filename: 'a', contentType: 'text/plain', content: { path: '/nowhere/at/all' } };

  const error = await t.throwsAsync(mailer.send({ ...MAIL, attachments: [attachment] }), {
    instanceOf: MailError,
  });

  t.is(error?.kind, 'unavailable');
  t.is(server.mails.length, 0);
});

test.serial('send: an unreachable or trickling server is unavailable', async (t) => {
  const trickle = createServer((socket) => {
    const timer = setInterval(() => socket.write('220-wait\r\n'), 50);
    socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    trickle.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => trickle.close());
  const address = trickle.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const options = { from: 'a@b.test', silenceTimeoutMs: 300, totalTimeoutMs: 400 };

  const away = await t.throwsAsync(createMailer({ ...options, smtpUrl: 'smtp://127.0.0.1:1' }).send(MAIL), {
    instanceOf: MailError,
  });
  const slow = await t.throwsAsync(
    createMailer({ ...options, smtpUrl: `smtp://127.0.0.1:${port}` }).send(MAIL),
    { instanceOf: MailError },
  );

  t.is(away?.kind, 'unavailable');
  t.is(slow?.kind, 'unavailable');
});

test.serial('close: aborts current mails and refuses further ones', async (t) => {
  server.mode('hang', 1);
  const closing = createMailer({ smtpUrl: server.url, from: 'a@b.test' });

  const sending = closing.send(MAIL);
  const ended = t.throwsAsync(sending, { instanceOf: MailError });
  closing.close();

  await ended;
  const after = await t.throwsAsync(closing.send(MAIL), { instanceOf: MailError });
  t.is(after?.kind, 'unavailable');
});

test('createMailer: refuses a sender that is not one address', (t) => {
  t.throws(() => createMailer({ smtpUrl: 'smtp://127.0.0.1:25', from: 'a@b.test, c@d.test' }));
  t.throws(() => createMailer({ smtpUrl: 'smtp://127.0.0.1:25', from: 'nobody' }));
});
