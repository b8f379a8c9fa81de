import { randomUUID } from 'node:crypto';
import { mkdir, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Disk, errors } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';

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

/** Keeps documents under keys of our own making. Errors of the store are thrown as they come. */
export interface DocumentStorage {
  /** The document, or null when there is none. */
  read(key: string): Promise<Buffer | null>;
  /** Writes the whole document or nothing: a reader never meets half of one. */
  write(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /**
   * Deletes at most `limit` documents of a folder that were written before `beforeMs` (milliseconds since 1970), and
   * returns how many. A bucket has lifecycle rules for that: there it deletes nothing.
   */
  deleteOld(folder: string, beforeMs: number, limit: number): Promise<number>;
}

/** Where a document is written before it is whole. */
export const INCOMING = 'incoming';

/** Keys are of our making; this is the last line, should one ever hold what a caller sent. */
const KEY = /^[a-z0-9][a-z0-9-]*(?:[./][a-z0-9][a-z0-9-]*)*$/i;

/** Opens the store; nothing is touched before the first read or write. */
export function createStorage(options: StorageOptions): DocumentStorage {
  if (options.kind === 'directory') {
    const location = resolve(options.path);
    const disk = new Disk(new FSDriver({ location, visibility: 'private' }));
    return storageOn(
      async () => disk,
      (folder, beforeMs, limit) => deleteOldFiles(join(location, folder), beforeMs, limit),
      async (key, bytes) => {
        // A file is written in pieces: only a rename shows it whole. (The driver's own move copies.)
        const aside = `${INCOMING}/${randomUUID()}`;
        try {
          await disk.put(aside, bytes);
          await mkdir(dirname(join(location, key)), { recursive: true });
          await rename(join(location, aside), join(location, key));
        } catch (error) {
          await disk.delete(aside).catch(() => undefined);
          throw error;
        }
      },
    );
  }
  let opened: Promise<Disk> | undefined;
  const open = () => {
    opened ??= openBucket(options);
    return opened;
  };
  return storageOn(
    open,
    async () => 0,
    async (key, bytes, contentType) => {
      const disk = await open();
      await disk.put(key, bytes, { contentType });
    },
  );
}

async function deleteOldFiles(folder: string, beforeMs: number, limit: number): Promise<number> {
  let deleted = 0;
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (deleted === limit) break;
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs } = await stat(path);
      if (mtimeMs >= beforeMs) continue;
      await rm(path, { force: true });
      deleted += 1;
    }
  } catch (error) {
    // Nothing was written there yet, or another sweep was quicker.
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOENT') throw error;
  }
  return deleted;
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

function storageOn(
  open: () => Promise<Disk>,
  deleteOld: DocumentStorage['deleteOld'],
  write: DocumentStorage['write'],
): DocumentStorage {
  return {
    deleteOld,
    async write(key, bytes, contentType) {
      checkKey(key);
      await write(key, bytes, contentType);
    },
    async read(key) {
      checkKey(key);
      const disk = await open();
      try {
        return Buffer.from(await disk.getBytes(key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  };
}

function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error('the key of a document is not one');
}

const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'NoSuchKey', 'NotFound']);

function isMissing(error: unknown): boolean {
  if (!(error instanceof errors.E_CANNOT_READ_FILE)) return false;
  const { cause } = error;
  if (!(cause instanceof Error)) return false;
  return MISSING.has('code' in cause ? cause.code : undefined) || MISSING.has(cause.name);
}
