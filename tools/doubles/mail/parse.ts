import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';

/** A file that came with a mail. */
export interface CaughtFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** An address with the name before it, which may be empty. */
export interface MailAddress {
  name: string;
  address: string;
}

/** A mail, taken apart. */
export interface CaughtMail {
  from: readonly MailAddress[];
  to: readonly MailAddress[];
  replyTo: readonly MailAddress[];
  /** Name and address as one line. */
  fromText: string;
  subject: string;
  text: string;
  /** Empty where it has none. */
  html: string;
  messageId: string;
  date: Date | null;
  attachments: readonly CaughtFile[];
}

/** What a list shows of a mail, and what is searched: little, so that it can be kept for each. */
export interface MailSummary {
  from: readonly MailAddress[];
  to: readonly MailAddress[];
  subject: string;
  /** How the text begins. */
  snippet: string;
  files: readonly { filename: string; sizeBytes: number }[];
  /** Subject, addresses and text in lower case. */
  searched: string;
}

const SNIPPET_LENGTH = 160;
const SEARCHED_LENGTH = 10_000;

/** Takes a mail apart. @throws Error for what is no mail */
export async function parseMail(source: Buffer): Promise<CaughtMail> {
  const mail = await simpleParser(source, { skipTextToHtml: true, skipImageLinks: true });
  return {
    from: addressesOf(mail.from),
    to: addressesOf(mail.to),
    replyTo: addressesOf(mail.replyTo),
    fromText: mail.from?.text ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html === false ? '' : mail.html,
    messageId: mail.messageId ?? '',
    date: mail.date ?? null,
    attachments: filesOf(mail),
  };
}

/** What a list shows of the mail. */
export function summaryOf({ from, to, subject, text, attachments }: CaughtMail): MailSummary {
  const people = [...from, ...to].flatMap(({ name, address }) => [name, address]);
  return {
    from,
    to,
    subject,
    snippet: text
      .slice(0, 2 * SNIPPET_LENGTH)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, SNIPPET_LENGTH),
    files: attachments.map(({ filename, content }) => ({ filename, sizeBytes: content.length })),
    searched: [subject, ...people, text].join('\n').slice(0, SEARCHED_LENGTH).toLowerCase(),
  };
}

function addressesOf(header: AddressObject | AddressObject[] | undefined): MailAddress[] {
  return [header ?? []]
    .flat()
    .flatMap(({ value }) => value.map(({ name, address }) => ({ name, address: address ?? '' })));
}

function filesOf(mail: ParsedMail): CaughtFile[] {
  return mail.attachments.map(({ filename, contentType, content }, index) => ({
    filename: filename ?? `attachment-${index + 1}`,
    contentType,
    content,
  }));
}
