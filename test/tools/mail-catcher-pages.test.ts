import test from 'ava';
import { renderExportMail } from '../../src/documents/mails/export-mail.js';
import { chooseTemplate, renderMail, sampleFacts } from '../../src/documents/mails/recipient-mail.js';
import { createMailer, type OutgoingMail } from '../../src/outbound/mail.js';
import { Mailbox } from '../../tools/doubles/mail/mailbox.js';
import { startSmtp } from '../../tools/doubles/mail/smtp.js';
import { type Inbox, startInbox } from '../../tools/doubles/mail/web.js';
import { type PageBrowser, startPageBrowser, violationsOf } from '../support/page-browser.js';

const MERCHANT = {
  name: 'חנות הדגמה',
  email: 'help@demo.test',
  phone: '+972 3 555 0100',
  logo: '',
  color: '',
};
const WIDTHS = [360, 1280];

let inbox: Inbox;
let browser: PageBrowser;
let send: (mail: Partial<OutgoingMail>) => Promise<void>;
let close: () => Promise<unknown>;

test.before(async () => {
  const box = Mailbox.open(null);
  const smtp = await startSmtp({ port: 0, onMail: (source) => box.add(source) });
  const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${smtp.port}`, from: 'no-reply@parcels.test' });
  [inbox, browser] = await Promise.all([startInbox(box, smtp, 0), startPageBrowser()]);
  close = async () => {
    mailer.close();
    await Promise.all([browser.close(), inbox.close(), smtp.close()]);
  };
  send = (mail) =>
    mailer.send({
      to: 'noa.cohen-abrahami@a-long-domain-of-a-recipient.example.com',
      fromName: MERCHANT.name,
      replyTo: MERCHANT.email,
      subject: 'Subject',
      text: 'Text',
      html: '<p>Text</p>',
      ...mail,
    });
  for (const locale of ['en', 'he']) {
    const template = chooseTemplate([], 'shipment.created', locale);
    await send(renderMail(template, sampleFacts(locale, MERCHANT), 'https://parcels.test'));
  }
  const filename = 'shipments-7-20261121-093000.csv';
  await send({
    ...renderExportMail({
      locale: 'ar',
      accountName: 'Dana',
      merchant: MERCHANT,
      licenseName: 'Run',
      createdAt: '2026-11-21T09:30:00.123456Z',
      filter: {},
      rowCount: 1234,
      filename,
      link: null,
    }),
    attachments: [{ filename, contentType: 'text/csv', content: Buffer.alloc(30_000, 'a') }],
  });
});

test.after.always(() => close?.());

for (const dark of [false, true]) {
  for (const width of WIDTHS) {
    test.serial(
      `every page at ${width} px, ${dark ? 'dark' : 'light'}: no violation, no complaint, nothing sideways`,
      async (t) => {
        for (const path of ['/', '/?q=nothing', '/mails/2', '/mails/3?view=text', '/mails/3?view=source']) {
          const { page, complaints } = await browser.open(inbox.url + path, { width, dark });
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );

          t.deepEqual(await violationsOf(page), [], path);
          t.is(overflow, 0, path);
          t.deepEqual(complaints, [], path);
          await page.close();
        }
      },
    );
  }
}

test.serial('the frame is as high as the mail, at the width of the screen and of a phone', async (t) => {
  for (const [path, width] of [
    ['/mails/2', 1280],
    ['/mails/2', 360],
    ['/mails/2?width=phone', 1280],
  ] as const) {
    const { page } = await browser.open(inbox.url + path, { width });
    const frame = (await page.evaluate(`(() => {
      const frame = document.querySelector('iframe');
      const { scrollHeight } = frame.contentDocument.documentElement;
      return { width: frame.clientWidth, height: frame.clientHeight, scrollHeight };
    })()`)) as { width: number; height: number; scrollHeight: number };

    t.is(frame.height, frame.scrollHeight, path);
    t.true(frame.height > 300, String(frame.height));
    if (path.includes('phone')) t.is(frame.width, 375);
    else t.true(frame.width < width && frame.width > width * 0.75, String(frame.width));
    await page.close();
  }
});

test.serial('nothing runs in a mail, and nothing is loaded', async (t) => {
  await send({
    subject: 'hostile',
    html:
      '<img src="http://evil.test/pixel.png" onerror="parent.document.title = 1"><script>parent.document.title = 2</script>' +
      '<form action="/clear" method="post"><button>Press</button></form>',
  });
  const listed: any = await (await fetch(`${inbox.url}/api/mails`)).json();

  const { page, requests } = await browser.open(`${inbox.url}/mails/${listed.length}`, { width: 1280 });
  const frame = page.frames().find((one) => one.url().endsWith('/html'));
  await frame?.click('button');
  const after: any = await (await fetch(`${inbox.url}/api/mails`)).json();

  t.is(await page.title(), 'hostile · Mail catcher');
  t.false(requests.some((url) => url.includes('evil.test')));
  t.is(after.length, listed.length);
  await page.close();
});

test.serial('the list shows a new mail by itself, and times in the zone of the reader', async (t) => {
  const { page } = await browser.open(inbox.url, { width: 1280 });
  await send({ subject: 'Just arrived' });

  await page.waitForSelector('::-p-text(Just arrived)');
  await page.emulateTimezone('Pacific/Kiritimati');
  await page.reload();
  const times = (await page.$eval('time', (time) => [time.textContent, time.getAttribute('datetime')])) as [
    string,
    string,
  ];

  t.not(times[0], '');
  const shown = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Pacific/Kiritimati',
  });
  t.is(times[0], shown.format(new Date(times[1])));
  await page.close();
});
