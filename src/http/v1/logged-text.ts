/** Fields that are credentials or name a person, wherever they stand in an answer. */
const SECRETS = ['token', 'key', 'license_key', 'client_id', 'client_secret_last4', 'receiver'];

/** Of JSON a text between quotes that stands before a colon is a key: those within texts are escaped. */
const SECRET = new RegExp(`"(${SECRETS.join('|')})":"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)`, 'g');

/** The beginning of an answer's JSON text as it may be kept, with credentials and names left out. */
export function loggedText(text: string): string {
  // Of an answer of many megabytes: what is kept has 60,000 bytes, credentials left out.
  return text.slice(0, 120_000).replace(SECRET, '"$1":"[left out]"');
}
