import { type Html, html } from '../../../src/domain/html.js';
import type { Mailbox, OpenedMail } from './mailbox.js';
import type { MailAddress } from './parse.js';

const SHOWN = 100;

/** The newest mails with links to their contents, newest first. */
export async function listPage(box: Mailbox): Promise<string> {
  const mails = await box.newest(SHOWN);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="5">
<title>Mail catcher</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>Mail catcher</h1>
<p>${mails.length} of ${box.count} mails, the newest first.</p>
${mails.map(entry)}
</body>
</html>
`.text;
}

function entry({ id, receivedAt, mail }: OpenedMail): Html {
  const files = mail.attachments.map(
    ({ filename }, index) => html` · <a href="/mails/${id}/attachments/${index}"><bdi>${filename}</bdi></a>`,
  );
  return html`<hr>
<h2><a href="/mails/${id}" dir="auto">${mail.subject || '(no subject)'}</a></h2>
<p>${receivedAt.toISOString()}, from ${addresses(mail.from)} to ${addresses(mail.to)}</p>
<p><a href="/mails/${id}/text">Text</a> · <a href="/mails/${id}/mail.eml">Source</a>${files}</p>
`;
}

/** Each address is isolated, so that a name's direction cannot move its brackets. */
function addresses(people: readonly MailAddress[]): Html {
  const shown = people.map(
    ({ name, address }, index) =>
      html`${index === 0 ? null : ', '}<bdi>${name}</bdi> <bdi dir="ltr">&lt;${address}&gt;</bdi>`,
  );
  return html`${shown}`;
}
