import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Disk, errors } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { deleteOldFiles } from './old-files.js';

/** Where documents are kept: a directory that all processes share, or a bucket of an S3 service. */
export type StorageOptions =
  | { kind: 'directory'; path: string }
  | {
      kind: 's3';
      bucket: string;
      region: string;
      /** Of a service other than Amazon's; null takes Amazon's of the region. */
      endpoint: string | null;
      accessKeyId: string;
      secretAccessKey: string;
    };

/** A document that is read piece by piece. */
export interface OpenDocument {
  sizeBytes: number;
  content: Readable;
}

/** Keeps documents under keys of our own making. Errors of the store are thrown as they come. */
export interface DocumentStorage {
  /** The document, or null when there is none. */
  read(key: string): Promise<Buffer | null>;
  /** Size of the document in bytes, or null when there is none. */
  sizeOf(key: string): Promise<number | null>;
  /** The document as a stream, for one of any size, or null when there is none. */
  open(key: string): Promise<OpenDocument | null>;
  /** Writes the whole document or nothing: a reader never meets half of one. */
  write(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * The same for a document of any size, and returns its size in bytes. The pieces go into a file beside the store
   * first. What a killed process left there is deleted by a later call on the same machine.
   * @throws AbortError when the signal ends it
   */
  writePieces(
    key: string,
    pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
    options: { contentType: string; signal?: AbortSignal },
  ): Promise<number>;
  /** Deletes the document; it may be gone already. */
  delete(key: string): Promise<void>;
  /**
   * Walks once through a folder and deletes documents that were written before `beforeMs` (milliseconds since 1970).
   * Yields after every hundred documents or less how many of them went; may be left waiting for as long as one likes.
   * A bucket has lifecycle rules for that: there it deletes nothing.
   */
  deleteOld(folder: string, beforeMs: number): AsyncGenerator<number, void>;
}

/** Where a document is written before it is whole. */
export const INCOMING = 'incoming';

/** Keys are of our making; this is the last line, should one ever hold what a caller sent. */
const KEY = /^[a-z0-9][a-z0-9-]*(?:[./][a-z0-9][a-z0-9-]*)*$/i;
const UNFINISHED = 'parcelworks-incoming-';
/** An unfinished file that was not written to for this long belongs to nobody. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Opens the store; nothing is touched before the first read or write. */
export function createStorage(options: StorageOptions): DocumentStorage {
  if (options.kind === 'directory') return directoryStorage(resolve(options.path));
  let opened: Promise<Disk> | undefined;
  const open = () => {
    opened ??= openBucket(options);
    return opened;
  };
  return storageOn(open, {
    incoming: tmpdir(),
    async *deleteOld() {},
    // An object is seen once it is whole.
    async put(key, bytes, contentType) {
      await (await open()).put(key, bytes, { contentType });
    },
    async moveIn(path, key, contentType) {
      const contentLength = (await stat(path)).size;
      await (await open()).putStream(key, createReadStream(path), { contentType, contentLength });
      await rm(path, { force: true });
    },
  });
}

function directoryStorage(location: string): DocumentStorage {
  const disk = new Disk(new FSDriver({ location, visibility: 'private' }));
  return storageOn(async () => disk, {
    incoming: join(location, INCOMING),
    deleteOld: (folder, beforeMs) => deleteOldFiles(join(location, folder), beforeMs),
    // A file is written in pieces: only a rename shows it whole. (The driver's own move copies.)
    async moveIn(path, key) {
      await mkdir(dirname(join(location, key)), { recursive: true });
      await rename(path, join(location, key));
    },
  });
}

/** The driver comes with Amazon's client, which is loaded only where a bucket is used. */
async function openBucket(options: Extract<StorageOptions, { kind: 's3' }>): Promise<Disk> {
  const { S3Driver } = await import('flydrive/drivers/s3');
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = options;
  const driver = new S3Driver({
    bucket,
    region,
    credentials: { accessKeyId, secretAccessKey },
    visibility: 'private',
    supportsACL: false,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
  });
  return new Disk(driver);
}

/** What the two kinds of stores do differently. */
interface Writing {
  /** Folder of unfinished files. */
  incoming: string;
  deleteOld: DocumentStorage['deleteOld'];
  /** Writes a document from memory; through a file where it is left out. */
  put?: DocumentStorage['write'];
  /** Makes a finished file the document, and takes it away from where it was. */
  moveIn(path: string, key: string, contentType: string): Promise<void>;
}

function storageOn(open: () => Promise<Disk>, writing: Writing): DocumentStorage {
  const writePieces: DocumentStorage['writePieces'] = async (key, pieces, { contentType, signal }) => {
    checkKey(key);
    await mkdir(writing.incoming, { recursive: true });
    await deleteAbandoned(writing.incoming);
    const path = join(writing.incoming, `${UNFINISHED}${randomUUID()}`);
    try {
      // Nobody else may read it, and a file that somebody else has put there is not written to.
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      await pipeline(pieces, file, signal === undefined ? {} : { signal });
      const { size } = await stat(path);
      await writing.moveIn(path, key, contentType);
      return size;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  };
  return {
    writePieces,
    deleteOld: writing.deleteOld,
    async write(key, bytes, contentType) {
      checkKey(key);
      if (writing.put === undefined) await writePieces(key, [bytes], { contentType });
      else await writing.put(key, bytes, contentType);
    },
    async read(key) {
      checkKey(key);
      return await orNull(async () => Buffer.from(await (await open()).getBytes(key)));
    },
    async sizeOf(key) {
      checkKey(key);
      return await orNull(async () => (await (await open()).getMetaData(key)).contentLength);
    },
    async open(key) {
      checkKey(key);
      return await orNull(async () => {
        const disk = await open();
        const { contentLength } = await disk.getMetaData(key);
        return { sizeBytes: contentLength, content: await disk.getStream(key) };
      });
    },
    async delete(key) {
      checkKey(key);
      await orNull(async () => (await open()).delete(key));
    },
  };
}

/** Errors are left to the next call: another process may be deleting the same. */
async function deleteAbandoned(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(UNFINISHED));
  for (const path of names.map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < ABANDONED_AFTER_MS) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error('the key of a document is not one');
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'NoSuchKey', 'NotFound']);
const FAILURES = [errors.E_CANNOT_READ_FILE, errors.E_CANNOT_GET_METADATA, errors.E_CANNOT_DELETE_FILE];

async function orNull<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  if (!FAILURES.some((failure) => error instanceof failure) || !(error instanceof Error)) return false;
  const { cause } = error;
  if (!(cause instanceof Error)) return false;
  return MISSING.has('code' in cause ? cause.code : undefined) || MISSING.has(cause.name);
}
