import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';

/** A file that came with a mail. */
export interface CaughtFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** A mail as the inbox shows it. */
export interface CaughtMail {
  id: number;
  /** Addresses without names, with commas. */
  to: string;
  /** Name and address. */
  from: string;
  replyTo: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  date: Date | null;
  attachments: CaughtFile[];
  /** As it came over the wire. */
  source: Buffer;
}

const MOST_MAILS = 500;

/** The mails that were caught, the newest {@link MOST_MAILS} of them, also kept as files where a folder is given. */
export class Mailbox {
  readonly #folder: string | null;
  #mails: CaughtMail[] = [];
  #lastId = 0;

  private constructor(folder: string | null) {
    this.#folder = folder;
  }

  /** Opens the folder with the mails that are in it; null keeps them in memory. */
  static async open(folder: string | null): Promise<Mailbox> {
    const box = new Mailbox(folder);
    if (folder === null) return box;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const files = readdirSync(folder).filter((name) => /^\d{6,}\.eml$/.test(name));
    for (const name of files.sort()) {
      const id = Number.parseInt(name, 10);
      box.#mails.push(await parse(id, readFileSync(join(folder, name))));
      box.#lastId = Math.max(box.#lastId, id);
    }
    return box;
  }

  /** Oldest first. */
  get mails(): readonly CaughtMail[] {
    return this.#mails;
  }

  find(id: number): CaughtMail | undefined {
    return this.#mails.find((mail) => mail.id === id);
  }

  /** Keeps a mail: when this resolves it outlives the process. */
  async add(source: Buffer): Promise<void> {
    this.#lastId += 1;
    const id = this.#lastId;
    if (this.#folder !== null) writeFileSync(this.#pathOf(this.#folder, id), source, { mode: 0o600 });
    this.#mails.push(await parse(id, source));
    this.#mails.sort((one, other) => one.id - other.id);
    for (const old of this.#mails.slice(0, -MOST_MAILS)) this.#forget(old.id);
    this.#mails = this.#mails.slice(-MOST_MAILS);
  }

  clear(): void {
    for (const { id } of this.#mails) this.#forget(id);
    this.#mails = [];
  }

  #forget(id: number): void {
    if (this.#folder !== null) rmSync(this.#pathOf(this.#folder, id), { force: true });
  }

  #pathOf(folder: string, id: number): string {
    return join(folder, `${String(id).padStart(6, '0')}.eml`);
  }
}

async function parse(id: number, source: Buffer): Promise<CaughtMail> {
  const mail = await simpleParser(source, { skipTextToHtml: true, skipImageLinks: true });
  return {
    id,
    to: addressesOf(mail.to).join(', '),
    from: mail.from?.text ?? '',
    replyTo: addressesOf(mail.replyTo).join(', '),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html === false ? '' : mail.html,
    messageId: mail.messageId ?? '',
    date: mail.date ?? null,
    attachments: filesOf(mail),
    source,
  };
}

function addressesOf(header: AddressObject | AddressObject[] | undefined): string[] {
  return [header ?? []].flat().flatMap(({ value }) => value.map(({ address }) => address ?? ''));
}

function filesOf(mail: ParsedMail): CaughtFile[] {
  return mail.attachments.map(({ filename, contentType, content }, index) => ({
    filename: filename ?? `attachment-${index + 1}`,
    contentType,
    content,
  }));
}
