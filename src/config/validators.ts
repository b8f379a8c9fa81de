import { readFileSync } from 'node:fs';
import { makeValidator } from 'envalid';
import ipaddr from 'ipaddr.js';
import { readMysqlUrl } from '../domain/mysql-url.js';
import { AppKeys } from '../lib/app-keys.js';

const KEY_BYTES = 32;
const FIRST_KEY_ID = 'k1';
const MAX_DAYS = 36_500;
const MIN_GRACE_MS = 1000;

/** Keys of 32 bytes by id, in their order: the first one is used, each is read. */
export type KeyRing = ReadonlyMap<string, Buffer>;

/** Comma-separated `id:base64`. An entry without id is {@link FIRST_KEY_ID}, so that one key needs none. */
export function parseKeyRing(input: string): KeyRing {
  const ring = new Map<string, Buffer>();
  for (const entry of input.split(',').map((one) => one.trim())) {
    const [, id = FIRST_KEY_ID, text = ''] = /^(?:([\w.-]{1,32}):)?([\w+/-]{43}=?)$/.exec(entry) ?? [];
    const key = Buffer.from(text, 'base64');
    if (key.length !== KEY_BYTES || ring.has(id)) {
      throw new Error(
        `must be ${KEY_BYTES} bytes in base64 (openssl rand -base64 32), or several keys with different ids: ` +
          'id:base64,id:base64',
      );
    }
    ring.set(id, key);
  }
  return ring;
}

/** {@link parseKeyRing} */
export const keyRing = makeValidator<KeyRing>(parseKeyRing);

/** {@link parseKeyRing}, as keys by purpose. */
export const appKeys = makeValidator<AppKeys>((input) => new AppKeys(parseKeyRing(input)));

/** A token of at least 32 letters and digits, `-` and `_`, so that it fits a header and a path. */
export const longToken = makeValidator<string>((input) => {
  if (!/^[\w-]{32,256}$/.test(input)) {
    throw new Error('must be 32 to 256 letters, digits, - and _ (openssl rand -hex 32)');
  }
  return input;
});

/** The id of a build of the workers: a tag, or a commit. */
export const buildId = makeValidator<string>((input) => {
  if (!/^[A-Za-z0-9][\w.-]{0,62}$/.test(input)) {
    throw new Error('must be up to 63 letters, digits, ., _ and -, like 1.4.2');
  }
  return input;
});

/** A URL for {@link readMysqlUrl}, with a readable CA file. */
export const mysqlUrl = makeValidator<string>((input) => {
  const { sslCaFile } = readMysqlUrl(input);
  if (sslCaFile !== null) contentOf(sslCaFile, 'ssl-ca');
  return input;
});

/** The path of a file; returns its content. */
export const fileContent = makeValidator<Buffer>((input) => contentOf(input, 'it'));

function contentOf(path: string, name: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new Error(`${name} must be the path of a file that can be read`);
  }
}

/** An address that takes POST requests. It may hold a secret in its path. */
export const hookUrl = makeValidator<string>((input) => {
  const { protocol, username, password } = URL.canParse(input) ? new URL(input) : new URL('none:');
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb || username !== '' || password !== '') {
    throw new Error('must be an address like https://hooks.example.com/…, without user and password');
  }
  return input;
});

/** Scheme and host, as links in answers, mails and pages begin. The paths of the service cannot lie below another one. */
export const origin = makeValidator<string>((input) => {
  const { protocol, origin, href } = URL.canParse(input) ? new URL(input) : new URL('none:');
  if (!/^https?:$/.test(protocol) || href !== `${origin}/`) {
    throw new Error(
      'must be scheme and host alone, like https://shipping.example.com: the service needs a host of its own, and ' +
        'works below no path of another',
    );
  }
  return origin;
});

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** An OpenID provider's issuer. A client secret goes there, in clear only on this machine. */
export const issuerUrl = makeValidator<string>((input) => {
  const { protocol, hostname, username, password, search, hash } = URL.canParse(input)
    ? new URL(input)
    : new URL('none:');
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  if (!isSafe || [username, password, search, hash].some((part) => part !== '')) {
    throw new Error('must be an address like https://login.example.com/…, without user, query and fragment');
  }
  return input;
});

/** A number of at least `least`. */
export const atLeast = (least: number) =>
  makeValidator<number>((input) => {
    const value = Number(input);
    if (!(value >= least)) throw new Error(`must be a number, at least ${least}`);
    return value;
  });

/** Comma-separated CIDRs. */
export const cidrs = makeValidator<readonly string[]>((input) => {
  const ranges = input.split(',').map((range) => range.trim());
  const named = ranges.filter((range) => range !== '');
  if (named.some((range) => !ipaddr.isValidCIDR(range)))
    throw new Error('must be ranges like 10.0.0.0/8, with commas');
  return named;
});

/** Half of it is for waiting creations, the rest for writing their answers. */
export const graceMs = makeValidator<number>((input) => {
  const ms = Number(input);
  if (!Number.isInteger(ms) || ms < MIN_GRACE_MS) throw new Error(`must be at least ${MIN_GRACE_MS}`);
  return ms;
});

/** At least a day, to keep what is in use; at most what dates in the database can hold. */
export const days = wholeUpTo(MAX_DAYS, 'days');

/** At least an hour: a key must outlive the reading of its answer. */
export const hours = wholeUpTo(MAX_DAYS * 24, 'hours');

function wholeUpTo(most: number, unit: string) {
  return makeValidator<number>((input) => {
    const count = Number(input);
    if (!Number.isInteger(count) || count < 1 || count > most) {
      throw new Error(`must be a whole number of ${unit} from 1 to ${most}`);
    }
    return count;
  });
}
