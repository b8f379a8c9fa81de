import { X509Certificate } from 'node:crypto';
import { certificateEnds } from '../lib/metrics.js';

/** All processes of a service meet a renewal at once, and may not all be away. */
const SPREAD_MS = 600_000;
const LOOK_EVERY_MS = 60_000;

type Certificates = ReadonlyMap<string, string>;

/**
 * Shows when the certificates end, and calls `stop` some minutes after a file has another content than at the start: a
 * process that is started again takes it, and one that goes on would end with the old one's day.
 */
export function watchCertificates(
  read: () => Certificates,
  stop: (variable: string) => void,
  { everyMs, spreadMs } = { everyMs: LOOK_EVERY_MS, spreadMs: SPREAD_MS },
): void {
  const begun = read();
  for (const [variable, text] of begun) {
    const endsAt = endOf(text);
    if (endsAt !== null) certificateEnds.set({ variable }, endsAt);
  }
  if (begun.size === 0) return;
  const looking = setInterval(() => {
    const variable = changedOf(begun, read());
    if (variable === undefined) return;
    clearInterval(looking);
    setTimeout(() => stop(variable), Math.random() * spreadMs).unref();
  }, everyMs).unref();
}

/** Unix seconds of a certificate's last moment; null for what is none, such as a key. */
function endOf(text: string): number | null {
  try {
    return Date.parse(new X509Certificate(text).validTo) / 1000;
  } catch {
    return null;
  }
}

function changedOf(begun: Certificates, now: Certificates): string | undefined {
  return [...now].find(([variable, text]) => text !== begun.get(variable))?.[0];
}

/** Has {@link watchCertificates} end this process as SIGTERM does. */
export function endOnRenewal(read: () => Certificates, log: (facts: object, message: string) => void): void {
  watchCertificates(read, (variable) => {
    log({ variable }, 'the file has another certificate: the process ends, to be started with it');
    process.kill(process.pid, 'SIGTERM');
  });
}
