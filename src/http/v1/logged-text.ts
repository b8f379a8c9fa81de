/** Fields with credentials or names of persons, at any place in an answer. */
const SECRETS = ['token', 'key', 'license_key', 'client_id', 'client_secret_last4', 'receiver'];

/** In JSON a quoted text before a colon is a key: quotes within texts are escaped. */
const SECRET = new RegExp(`"(${SECRETS.join('|')})":"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)`, 'g');

/** The beginning of an answer's JSON text for the log, without credentials and names. */
export function loggedText(text: string): string {
  // Of an answer of many megabytes: what is kept has 60,000 bytes, credentials left out.
  return text.slice(0, 120_000).replace(SECRET, '"$1":"[left out]"');
}
