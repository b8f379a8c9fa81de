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

const UNFINISHED_MS = 3_600_000;

/** Where documents are stored: a directory shared by all processes, or an S3 bucket. */
export type StorageOptions =
  | { kind: 'directory'; path: string }
  | {
      kind: 's3';
      bucket: string;
      region: string;
      /** Endpoint of a service other than Amazon; null for Amazon. */
      endpoint: string | null;
      /** Null: what the machine has (a role, or Amazon's own variables and files). */
      keys: { accessKeyId: string; secretAccessKey: string } | null;
    };

/** A document to be streamed. */
export interface OpenDocument {
  sizeBytes: number;
  content: Readable;
}

/** Stores documents under keys that we choose. Errors of the store are thrown unchanged. */
export interface DocumentStorage {
  /** The document; null when there is none. */
  read(key: string): Promise<Buffer | null>;
  /** Size in bytes; null when there is no document. */
  sizeOf(key: string): Promise<number | null>;
  /** The document as a stream; null when there is none. */
  open(key: string): Promise<OpenDocument | null>;
  /** Writes atomically: readers never see a partial document. */
  write(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Like `write`, for any size; returns the bytes. The pieces go into a local file first; a later call on the
   * machine deletes what a killed process left. @throws AbortError when `signal` fires.
   */
  writePieces(
    key: string,
    pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
    options: { contentType: string; signal?: AbortSignal },
  ): Promise<number>;
  /** Deletes the document if it exists. */
  delete(key: string): Promise<void>;
  /**
   * Deletes a folder's documents written before `beforeMs` (ms since 1970), yielding the number deleted after
   * every hundred or fewer. Does nothing for a bucket, which has lifecycle rules.
   */
  deleteOld(folder: string, beforeMs: number): AsyncGenerator<number, void>;
}

/** Folder of documents that are being written. */
export const INCOMING = 'incoming';

/** Rejects any key that a caller might have influenced. */
const KEY = /^[a-z0-9][a-z0-9-]*(?:[./][a-z0-9][a-z0-9-]*)*$/i;
const UNFINISHED = 'parcelworks-incoming-';

/** Opens the store, lazily. */
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
    // S3 shows an object only once complete.
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
    // Only a rename publishes a complete file. (The driver's own move copies.)
    async moveIn(path, key) {
      await mkdir(dirname(join(location, key)), { recursive: true });
      await rename(path, join(location, key));
    },
  });
}

/** The client's own checksums are a form of 2025 that services other than Amazon's refuse: S3Proxy answers 501. */
const OF_EVERY_SERVICE = {
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;

/** The driver needs Amazon's client, which is loaded only for buckets. */
async function openBucket(options: Extract<StorageOptions, { kind: 's3' }>): Promise<Disk> {
  const { S3Driver } = await import('flydrive/drivers/s3');
  const { bucket, region, endpoint, keys } = options;
  const driver = new S3Driver({
    bucket,
    region,
    visibility: 'private',
    supportsACL: false,
    ...(keys === null ? {} : { credentials: keys }),
    ...(endpoint === null ? {} : { endpoint, ...OF_EVERY_SERVICE }),
  });
  return new Disk(driver);
}

/** The differences between the two kinds of stores. */
interface Writing {
  /** Folder of unfinished files. */
  incoming: string;
  deleteOld: DocumentStorage['deleteOld'];
  /** Writes a document from memory; by default through a file. */
  put?: DocumentStorage['write'];
  /** Moves a finished file to its key. */
  moveIn(path: string, key: string, contentType: string): Promise<void>;
}

function storageOn(open: () => Promise<Disk>, writing: Writing): DocumentStorage {
  const writePieces: DocumentStorage['writePieces'] = async (key, pieces, { contentType, signal }) => {
    checkKey(key);
    await mkdir(writing.incoming, { recursive: true });
    await deleteAbandoned(writing.incoming);
    const path = join(writing.incoming, `${UNFINISHED}${randomUUID()}`);
    try {
      // Readable only by us, and never an existing file.
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

/** Ignores errors: another process may be deleting the same files. */
async function deleteAbandoned(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(UNFINISHED));
  for (const path of names.map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null);
    if (found === null || Date.now() - found.mtimeMs < UNFINISHED_MS) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error('invalid document key');
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
