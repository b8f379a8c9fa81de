import { ZipFile } from 'yazl';

/** An archive whose output fails when an input does; without this the process would end. */
export function zipFile(): ZipFile {
  const zip = new ZipFile();
  zip.once('error', (error: unknown) => zip.outputStream.emit('error', error));
  return zip;
}
