/** Codes of a full disk: of the disk itself, and of a user's share of it. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
/** Codes of a folder that this process may not write to. */
const CLOSED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Why a step of an export failed, in words for operators and the account: no text of a server, no address and no path.
 */
export function exportTrouble(error: unknown): string {
  const code = codeOf(error);
  if (FULL.has(code)) return `The disk for documents is full (${code}).`;
  if (CLOSED.has(code)) return `The place for documents cannot be written to (${code}).`;
  return `A step on our side failed (${code}).`;
}

/** The code of an error, or of what caused it: libraries wrap the system's errors. Without one, the name. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const inner = error.cause === undefined ? null : codeOf(error.cause);
  if (inner !== null && (FULL.has(inner) || CLOSED.has(inner))) return inner;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
