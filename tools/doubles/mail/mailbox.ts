import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CaughtMail, parseMail } from './parse.js';

/** Limits of what is stored. The newest mail is always stored. */
export interface MailboxLimits {
  mails: number;
  bytes: number;
}

export interface OpenedMail {
  id: number;
  receivedAt: Date;
  /** As received. */
  source: Buffer;
  mail: CaughtMail;
}

interface Entry {
  readonly id: number;
  readonly receivedAt: Date;
  readonly sizeBytes: number;
  /** Null when stored in the folder. */
  readonly source: Buffer | null;
}

const LIMITS: MailboxLimits = { mails: 1000, bytes: 50 * 1024 * 1024 };
const UNREADABLE: CaughtMail = {
  from: [],
  to: [],
  replyTo: [],
  fromText: '',
  subject: '(cannot be read)',
  text: '',
  html: '',
  messageId: '',
  date: null,
  attachments: [],
};

/** The newest caught mails. With a folder they are stored as files, and parsed only when opened. */
export class Mailbox {
  readonly limits: MailboxLimits;
  readonly #folder: string | null;
  /** Oldest first. */
  #entries: Entry[] = [];
  #bytes = 0;
  #lastId = 0;

  private constructor(folder: string | null, limits: MailboxLimits) {
    this.#folder = folder;
    this.limits = limits;
  }

  /** Opens a folder with its mails; null keeps mails in memory. */
  static open(folder: string | null, limits = LIMITS): Mailbox {
    const box = new Mailbox(folder, limits);
    if (folder === null) return box;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const files = readdirSync(folder).filter((name) => /^\d{6,}\.eml$/.test(name));
    for (const id of files.map((name) => Number.parseInt(name, 10)).sort((one, other) => one - other)) {
      const { size, mtime } = statSync(pathOf(folder, id));
      box.#keep({ id, receivedAt: mtime, sizeBytes: size, source: null });
    }
    return box;
  }

  get count(): number {
    return this.#entries.length;
  }

  /** Stores a mail durably. */
  async add(source: Buffer): Promise<void> {
    const id = this.#lastId + 1;
    const entry = { id, receivedAt: new Date(), sizeBytes: source.length };
    if (this.#folder === null) return this.#keep({ ...entry, source });
    writeFileSync(pathOf(this.#folder, id), source, { mode: 0o600 });
    this.#keep({ ...entry, source: null });
  }

  clear(): void {
    for (const { id } of this.#entries) this.#forget(id);
    this.#entries = [];
    this.#bytes = 0;
  }

  /** The newest mails, newest first. */
  async newest(count: number): Promise<OpenedMail[]> {
    const opened = await Promise.all(this.#entries.slice(-count).map((entry) => this.#opened(entry)));
    return opened.filter((mail) => mail !== null).reverse();
  }

  /** One mail; null when there is none. */
  async open(id: number): Promise<OpenedMail | null> {
    const entry = this.#entries.find((one) => one.id === id);
    return entry === undefined ? null : await this.#opened(entry);
  }

  /** Every mail, oldest first, read one at a time. */
  async *all(): AsyncGenerator<CaughtMail> {
    // Copied, because dropping mails meanwhile moves the others.
    const entries = this.#entries.slice();
    for (const entry of entries) {
      const source = await this.#sourceOf(entry);
      if (source !== null) yield await readable(source);
    }
  }

  /** Null when the mail was dropped meanwhile. */
  async #opened(entry: Entry): Promise<OpenedMail | null> {
    const source = await this.#sourceOf(entry);
    if (source === null) return null;
    return { id: entry.id, receivedAt: entry.receivedAt, source, mail: await readable(source) };
  }

  /** Null when the mail was dropped meanwhile. */
  async #sourceOf({ id, source }: Entry): Promise<Buffer | null> {
    if (source !== null || this.#folder === null) return source;
    return await readFile(pathOf(this.#folder, id)).catch(() => null);
  }

  #keep(entry: Entry): void {
    this.#entries.push(entry);
    this.#lastId = entry.id;
    this.#bytes += entry.sizeBytes;
    while (this.#entries.length > 1 && this.#isOverLimit()) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) return;
      this.#bytes -= oldest.sizeBytes;
      this.#forget(oldest.id);
    }
  }

  #isOverLimit(): boolean {
    return this.#entries.length > this.limits.mails || this.#bytes > this.limits.bytes;
  }

  #forget(id: number): void {
    if (this.#folder !== null) rmSync(pathOf(this.#folder, id), { force: true });
  }
}

function pathOf(folder: string, id: number): string {
  return join(folder, `${String(id).padStart(6, '0')}.eml`);
}

/** An unreadable mail must not break the list. */
async function readable(source: Buffer): Promise<CaughtMail> {
  return await parseMail(source).catch(() => UNREADABLE);
}
