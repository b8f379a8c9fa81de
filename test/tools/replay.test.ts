import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type proto from '@temporalio/proto';
import test from 'ava';
import { payloadsIn } from '../../src/temporal/key-uses.js';
import { EncryptingCodec } from '../../src/temporal/payload-codec.js';
import { findDifference, readHistory } from '../../tools/engines/replay.js';
import { distFolder, projectFolder } from '../../tools/launcher/paths.js';
import { SetupError } from '../../tools/launcher/progress.js';
import { run } from '../../tools/launcher/run.js';
import { HISTORIES } from '../support/histories.js';
import { temporaryFolder } from '../support/processes.js';

type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent;

const KEY = randomBytes(32);
const keys = new Map([['k3', KEY]]);
const recorded = readFileSync(new URL('createShipment/attention-retry.json', HISTORIES), 'utf8');

/** The history with another activity type in its second booking, and that event's id. */
function altered(): { text: string; event: string } {
  const { events }: { events: any[] } = JSON.parse(recorded);
  const bookings = events.filter(
    (event) => event.activityTaskScheduledEventAttributes?.activityType.name === 'book',
  );
  bookings[1].activityTaskScheduledEventAttributes.activityType.name = 'cancel';
  return { text: JSON.stringify({ events }), event: bookings[1].eventId };
}

/** The history as a run with encryption has it. */
async function encrypted(text: string): Promise<string> {
  const history = historyFromJSON(JSON.parse(text));
  const workflowId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId ?? '';
  const codec = new EncryptingCodec({ keys, clear: 'refuse' });
  for (const payload of payloadsIn(history)) {
    const [made] = await codec.encode([{ ...payload }], { type: 'workflow', namespace: 'n', workflowId });
    Object.assign(payload, made);
  }
  return historyToJSON(history);
}

test.serial('replay: takes a clear history, as object or list of events, and an encrypted one', async (t) => {
  const { events }: { events: HistoryEvent[] } = JSON.parse(recorded);

  t.is(await findDifference(readHistory(recorded), new Map()), null);
  t.is(await findDifference(readHistory(JSON.stringify(events)), keys), null);
  t.is(await findDifference(readHistory(await encrypted(recorded)), keys), null);
});

test.serial('replay: names the event from which on the code does something else', async (t) => {
  const { text, event } = altered();

  const difference = await findDifference(readHistory(await encrypted(text)), keys);

  t.is(difference?.events, `${event} activityTaskScheduled`);
  t.regex(difference?.why ?? '', /^Nondeterminism error: .*'cancel'.*'book'$/);
});

test.serial('replay: names a missing and a wrong key, and refuses what is no history', async (t) => {
  const history = readHistory(await encrypted(recorded));

  for (const [given, message] of [
    [
      new Map(),
      /the key k3 cannot be decrypted: TEMPORAL_PAYLOAD_KEY has none\. Give it with --key id:base64\.$/,
    ],
    [new Map([['k3', randomBytes(32)]]), /the key k3 cannot be decrypted: the key of that id is another one/],
  ] as const) {
    await t.throwsAsync(findDifference(history, given), { instanceOf: SetupError, message });
  }
  for (const text of ['', '{}', '[]', '{"events":[{"eventId":"1"}]}', '"x"']) {
    t.throws(() => readHistory(text), { instanceOf: SetupError }, text);
  }
});

test.serial('npm run replay: says what it found, and its exit code too', async (t) => {
  const folder = temporaryFolder(t);
  const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')];
  writeFileSync(good, await encrypted(recorded));
  writeFileSync(bad, altered().text);
  const replay = (...args: string[]) =>
    run(process.execPath, [join(distFolder, 'tools/commands/replay.js'), ...args], {
      cwd: projectFolder,
      timeoutMs: 120_000,
    });

  const replayed = await replay(good, '--key', `k3:${KEY.toString('base64')}`);
  const differing = await replay(bad);

  t.is(replayed.code, 0, replayed.output);
  t.regex(
    replayed.output,
    /^✔ createShipment shipment\/\S+, \d+ events: this code makes the same commands$/m,
  );
  t.is(differing.code, 1, differing.output);
  t.regex(
    differing.output,
    /^✖ createShipment .*: this code makes other commands than event \d+ activityTaskScheduled$/m,
  );
  t.is((await replay(good, '--key', 'k3:short')).code, 1);
});
