import { LIMITS } from '../../lib/limits/values.js';
import type { CallContext, Outcome } from '../contract.js';
import { type HttpReply, sendOnce } from '../http.js';
import { baseOf } from '../json-api.js';
import { encodeWindows1255 } from '../windows-1255.js';
import type { RunConfig } from './config.js';

/** Programs of the carrier's server and the maximum bytes of their replies. */
const PROGRAMS = {
  ship_create_anonymous: LIMITS.carriers.xmlBytes,
  ship_status_xml: LIMITS.carriers.xmlBytes,
  bitul_mishloah: LIMITS.carriers.xmlBytes,
  ship_print_ws: 10_000_000,
  // About ten thousand points; the largest network has a quarter of that.
  ws_spotslist: 5_000_000,
} as const;

export type Program = keyof typeof PROGRAMS;

/**
 * Calls one program with its positional, prefixed arguments (`-N1`, `-Atext`). Commas separate arguments and
 * cannot be escaped, so values must not hold any.
 */
export function callProgram(
  program: Program,
  args: readonly string[],
  config: RunConfig,
  { signal, sendWithin }: Pick<CallContext, 'signal' | 'sendWithin'>,
): Promise<Outcome<HttpReply>> {
  const encode = config.settings.request_charset === 'windows-1255' ? encodeHebrew : encodeURIComponent;
  const list = args.map((argument) => encode(argument)).join(',');
  return sendOnce({
    method: 'GET',
    url: `${baseOf(config.settings)}/RunCom.Server/Request.aspx?APPNAME=run&PRGNAME=${program}&ARGUMENTS=${list}`,
    headers: config.secret === '' ? {} : { authorization: `Bearer ${config.secret}` },
    timeoutMs: config.timeoutMs,
    maxReplyBytes: PROGRAMS[program],
    signal,
    sendWithin,
  });
}

/** Percent-encodes text as windows-1255. */
function encodeHebrew(text: string): string {
  return Array.from(encodeWindows1255(text), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}
