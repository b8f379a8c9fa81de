import { buffer } from 'node:stream/consumers';
import { fromBuffer } from 'yauzl';

/** A file of an archive. */
export interface UnzippedFile {
  name: string;
  content: Buffer;
}

/** Reads every file of an archive; fails where a checksum does not fit. */
export function unzip(content: Buffer): Promise<UnzippedFile[]> {
  return new Promise((resolve, reject) => {
    fromBuffer(content, { lazyEntries: true }, (error, zip) => {
      if (error !== null) return reject(error);
      const files: UnzippedFile[] = [];
      zip.on('error', reject);
      zip.on('end', () => resolve(files));
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure !== null) return reject(failure);
          buffer(stream).then((read) => {
            files.push({ name: entry.fileName, content: read });
            zip.readEntry();
          }, reject);
        });
      });
      zip.readEntry();
    });
  });
}
