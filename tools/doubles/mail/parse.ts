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
