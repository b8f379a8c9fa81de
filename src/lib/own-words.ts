/**
 * Errors of ours whose messages hold nothing that a carrier, a mail server or a caller said: see their classes. Of a
 * connection to MySQL that was refused the server names user and database.
 */
const OWN = /^(BrowserError|DatabaseError|NoBrowser|Sequelize(AccessDenied|Connection\w*|Host\w+)Error)$/;

/** The message of an error where a log may hold it: those of ours, and the system's of a call that failed; else null. */
export function ownWordsOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return OWN.test(error.name) || 'syscall' in error ? error.message : null;
}
