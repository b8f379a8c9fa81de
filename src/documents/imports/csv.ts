import { parse } from 'csv-parse/sync';
import { LIMITS } from '../../lib/limits/values.js';

const DELIMITERS = ['\t', ';', ',', '|'] as const;

/** The rows of a CSV file or of cells pasted from a spreadsheet. @throws Error for what cannot be read */
export function csvRows(file: Buffer, language: string): string[][] {
  const text = decoded(file, language);
  // Excel's own word for the delimiter.
  const named = /^sep=(.)\r?\n/i.exec(text);
  const delimiter = named?.[1] ?? delimiterOf(text);
  return parse(named === null ? text : text.slice(named[0].length), {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    trim: true,
    to: LIMITS.imports.lines + 1,
    max_record_size: LIMITS.imports.lineCharacters,
  });
}

/** UTF-8, UTF-16, or the code page in which Excel saves CSV where its user's language is written. */
function decoded(file: Buffer, language: string): string {
  if (file[0] === 0xff && file[1] === 0xfe) return decode('utf-16le', file);
  if (file[0] === 0xfe && file[1] === 0xff) return decode('utf-16be', file);
  // Half of a text in Latin letters and signs is NUL there.
  if (file.subarray(0, 1000).filter((byte) => byte === 0).length > file.subarray(0, 1000).length / 4) {
    return decode(file[0] === 0 ? 'utf-16be' : 'utf-16le', file);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return decode(language === 'ar' ? 'windows-1256' : 'windows-1255', file);
  }
}

function decode(encoding: string, file: Buffer): string {
  return new TextDecoder(encoding).decode(file);
}

/** The sign that parts the first lines most evenly: most often, outside quotes. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\r|\n/)
    .slice(0, 10);
  const counts = DELIMITERS.map((sign) => ({
    sign,
    count: Math.max(...lines.map((line) => line.split(sign).length - 1)),
  }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).sign;
}
