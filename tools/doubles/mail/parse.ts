import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';

/** An attachment. */
interface CaughtFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** An address and its display name, which may be empty. */
export interface MailAddress {
  name: string;
  address: string;
}

/** A parsed mail. */
export interface CaughtMail {
  from: readonly MailAddress[];
  to: readonly MailAddress[];
  replyTo: readonly MailAddress[];
  /** Name and address on one line. */
  fromText: string;
  subject: string;
  text: string;
  /** Empty when it has none. */
  html: string;
  messageId: string;
  date: Date | null;
  attachments: readonly CaughtFile[];
}

/** Parses a mail. @throws Error for invalid input */
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
