import {
  type BegunWait,
  countNeedingAttention,
  forgetTold,
  listUntold,
  markTold,
  type OperatorChannel,
} from '../../db/queries/shipments/attention.js';
import { html } from '../../domain/html.js';
import { LIMITS } from '../../lib/limits/values.js';
import { RUN_QUERIES, runsLink, runsWith } from '../../lib/temporal-ui.js';
import type { GuardedClient } from '../../outbound/guarded-client.js';
import { MailError } from '../../outbound/mail.js';
import type { App } from '../app.js';

const NAMED_SHIPMENTS = 10;
const TOLD_AT_ONCE = 5000;

type Settings = 'alertUrl' | 'alertMail' | 'temporalUiUrl' | 'temporalNamespace';

/** `anywhere`: reaches private addresses too, since the operator chose the URL. */
export type OperatorApp = Pick<App<Settings>, 'db' | 'config' | 'mailer'> & { anywhere: GuardedClient };

/** A hook or a mail server did not take a message. The text names neither address nor answer. */
export class OperatorsNotTold extends Error {}

/**
 * Tells each channel of the shipments that have begun to wait for a person since it last did, in one message, and returns
 * the number of messages. A message that was sent and could not be noted is sent again.
 * @throws OperatorsNotTold after all channels were tried
 */
export async function tellOperators(app: OperatorApp): Promise<number> {
  const channels = channelsOf(app);
  if (channels.length === 0) return 0;
  let sent = 0;
  const troubles: unknown[] = [];
  for (const { channel, send } of channels) {
    try {
      if (await tell(app, channel, send)) sent += 1;
    } catch (error) {
      troubles.push(error);
    }
  }
  if (troubles.length > 0) throw troubles[0];
  return sent;
}

interface Channel {
  channel: OperatorChannel;
  send(message: Message): Promise<void>;
}

function channelsOf({ config, anywhere, mailer }: OperatorApp): Channel[] {
  const { alertUrl: url, alertMail: to } = config;
  const channels: Channel[] = [];
  if (url !== null) channels.push({ channel: 'hook', send: (message) => post(anywhere, url, message) });
  if (to !== null) channels.push({ channel: 'mail', send: (message) => mail(mailer, to, message) });
  return channels;
}

async function tell(
  { db, config }: OperatorApp,
  channel: OperatorChannel,
  send: Channel['send'],
): Promise<boolean> {
  const begun = await listUntold(db, channel, TOLD_AT_ONCE);
  if (begun.length > 0) {
    await send(messageOf(config, begun, await countNeedingAttention(db)));
    await markTold(db, channel, begun);
  }
  await forgetTold(db, channel);
  return begun.length > 0;
}

type Message = ReturnType<typeof messageOf>;

/** The body of a hook's request; `text` is what Slack and its like show. Holds no personal data. */
function messageOf(
  { temporalUiUrl: url, temporalNamespace: namespace }: OperatorApp['config'],
  begun: readonly BegunWait[],
  waiting: Awaited<ReturnType<typeof countNeedingAttention>>,
) {
  const carriers: Record<string, number> = {};
  for (const { provider } of begun) carriers[provider] = (carriers[provider] ?? 0) + 1;
  const oldest = waiting.oldest ?? '';
  const runs = runsLink({ url, namespace }, RUN_QUERIES.needsAttention);
  const shipments = begun.slice(0, NAMED_SHIPMENTS).map(({ uuid, provider, since }) => ({
    uuid,
    carrier: provider,
    since,
    run: runsLink({ url, namespace }, runsWith('ShipmentId', uuid)),
  }));
  const counts = Object.entries(carriers).map(([carrier, count]) => `${carrier} ${count}`);
  const text = [
    `${count(begun.length)} begun to wait for a person: ${counts.join(', ')}.`,
    `${waiting.total} in all, the oldest since ${oldest.slice(0, 16).replace('T', ' ')} UTC.`,
    ...(runs === null ? [] : [`Runs: ${runs}`]),
    ...shipments.map(({ uuid, carrier, run }) => `${carrier} ${run ?? uuid}`),
    'What to do: admin needs-attention, and "A shipment needs attention" in docs/operate.md.',
  ].join('\n');
  return {
    text,
    /** Shipments that have begun to wait. */
    begun: begun.length,
    /** All that wait. */
    waiting: waiting.total,
    oldest_since: oldest,
    /** Those that have begun to wait, by carrier. */
    carriers,
    /** The first of them. */
    shipments,
    runs,
  };
}

function count(shipments: number): string {
  return shipments === 1 ? '1 shipment has' : `${shipments} shipments have`;
}

async function post(client: GuardedClient, url: string, message: Message): Promise<void> {
  const outcome = await client.post({
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    timeoutMs: LIMITS.operators.hookMs,
  });
  if (outcome.kind === 'answered' && outcome.status < 300) return;
  const reason = outcome.kind === 'answered' ? `It answered HTTP ${outcome.status}.` : '';
  const failure = outcome.kind === 'failed' ? outcome.error : reason;
  throw new OperatorsNotTold(`ALERT_URL did not take a message. ${failure}`.trim());
}

async function mail(mailer: OperatorApp['mailer'], to: string, { text, begun }: Message): Promise<void> {
  const paragraphs = text.split('\n').map((line) => html`<p>${line}</p>\n`);
  const subject = `${count(begun)} begun to wait for a person`;
  try {
    await mailer.send({ to, subject, text: `${text}\n`, html: html`${paragraphs}`.text });
  } catch (error) {
    if (error instanceof MailError) throw new OperatorsNotTold(`ALERT_MAIL was not told. ${error.message}`);
    throw error;
  }
}
