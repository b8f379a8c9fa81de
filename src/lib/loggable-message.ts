/**
 * Our errors whose messages quote no carrier, mail server or caller; see their classes. A refused MySQL
 * connection names user and database.
 */
const OWN =
  /^(BrowserError|DatabaseError|NoBrowser|UnreadablePayload|UnreadableSecret|Sequelize(AccessDenied|Connection\w*|Host\w+)Error)$/;

/** The error's message if a log may hold it (ours, or of a failed system call); else null. */
export function loggableMessageOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return OWN.test(error.name) || 'syscall' in error ? error.message : null;
}
