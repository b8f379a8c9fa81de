import test from 'ava';
import * as cargo from '../../src/carriers/cargo/replies.js';
import type { Outcome } from '../../src/carriers/contract.js';
import * as getpackage from '../../src/carriers/getpackage/replies.js';
import { type JsonReply, jsonReply } from '../../src/carriers/json-api.js';
import * as lionwheel from '../../src/carriers/lionwheel/replies.js';
import * as wolt from '../../src/carriers/wolt-drive/replies.js';

const READERS: Record<string, (reply: JsonReply) => Outcome<unknown>> = {
  'cargo, booking': (reply) => cargo.readBooking(reply, 1),
  'cargo, cancelling': cargo.readCancellation,
  'getpackage, booking': getpackage.readBooking,
  'getpackage, cancelling': getpackage.readCancellation,
  'lionwheel, booking': lionwheel.readBooking,
  'lionwheel, cancelling': lionwheel.readUpdate,
  'wolt_drive, promise': wolt.readPromise,
  'wolt_drive, booking': wolt.readBooking,
  'wolt_drive, cancelling': wolt.readCancellation,
};

/** Words outside the fields of the carriers' documents. */
const BODIES = [
  ['plain text', 'העיר אינה בשירות', 'העיר אינה בשירות'],
  ['another field', '{"problem":{"city":["is not served"]}}', 'problem: city: is not served'],
] as const;

for (const [what, read] of Object.entries(READERS)) {
  for (const [where, body, words] of BODIES) {
    test(`${what}: a refusal in ${where} has the carrier's words`, (t) => {
      const outcome = read(jsonReply(422, Buffer.from(body)));

      t.like(outcome, { kind: 'rejected', code: 'http_422', text: words });
    });
  }
}
