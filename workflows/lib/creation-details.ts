import { type CarrierTrouble, type Creation, RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
import { CARRIER_PATIENCE_MS } from './proxies.js';
import { showDetails, utcMinute } from './show-details.js';

export type CreationDetails = ReturnType<typeof openDetails>;

/** Describes a creation in the UI's Current Details. Adds no event. */
export function openDetails({ carrier: { name } }: Pick<Creation, 'carrier'>) {
  /** The booking in progress. */
  let asking: { uuid: string; sinceMs: number } | undefined;
  const settle = (text: string) => {
    asking = undefined;
    showDetails(text);
  };
  return {
    /** The carrier is asked from now on. */
    booking(uuid: string): void {
      asking = { uuid, sinceMs: Date.now() };
      showDetails(`Booking with ${name}. ${storyOf(uuid)}`);
    },
    /** The booking is being retried; ignored unless the carrier is being asked. */
    waits(trouble: CarrierTrouble): void {
      if (asking !== undefined)
        showDetails(`${waiting(name, asking.sinceMs, trouble)} ${storyOf(asking.uuid)}`);
    },
    /** `attempt`: the newest call, which the decision names. */
    asksOperator: (uuid: string, reason: string, attempt: number) => settle(question(uuid, reason, attempt)),
    /** `byDecision`: the code is from an operator's decision. */
    booked: (uuid: string, code: string, byDecision: boolean) =>
      settle(`${byDecision ? 'Adopted' : 'Booked'} with ${name}: ${code}. ${storyOf(uuid)}`),
    refused(uuid: string, text: string, byCarrier: boolean): void {
      const who = byCarrier ? `Refused by ${name}` : 'Nothing is booked';
      settle(`${who}: ${oneLine(text)}\n\nThe key is free again. ${storyOf(uuid)}`);
    },
    /** The run was ended from outside while the carrier was asked. */
    ended(): void {
      if (asking === undefined) return;
      settle(
        `Ended from outside while ${name} was asked. Within 15 minutes the key is free if nothing was sent; else ` +
          `\`admin needs-attention\` lists the shipment. ${storyOf(asking.uuid)}`,
      );
    },
    /** The key had its answer already. */
    replayed: (uuid: string) => settle(`Answered as before. ${storyOf(uuid)}`),
    /** The carrier was never asked. */
    notBegun: (why: string) => settle(`Nothing is booked, the carrier was not asked: ${why}`),
  };
}

/** Where operators find more. */
export function storyOf(uuid: string): string {
  return `\`admin show ${uuid}\` tells more.`;
}

/** A carrier's text, shortened so that the rest stays visible. */
export function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

/** A carrier's text may lack a full stop. */
function asSentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

function waiting(name: string, sinceMs: number, { tries, text, nextTryAt }: CarrierTrouble): string {
  const next =
    nextTryAt === null ? 'the next try comes within a minute' : `the next try is at ${utcMinute(nextTryAt)}`;
  return (
    `**Waits for ${name}.** ${asSentence(oneLine(text))} It was asked ${tries} ${tries === 1 ? 'time' : 'times'} since ` +
    `${utcMinute(sinceMs)}; ${next}, the last at ${utcMinute(sinceMs + CARRIER_PATIENCE_MS)}, and then a person decides. ` +
    'Nothing to do.'
  );
}

/** Lists and short lines: the UI is narrow, strips what looks like tags, and older ones lack tables. */
function question(uuid: string, reason: string, attempt: number): string {
  return [
    `**Waits for a decision.** ${oneLine(reason)}`,
    '',
    `Look in the carrier's own system for \`${uuid}\`; \`admin show ${uuid}\` tells what was sent. Then \`admin resolve ${uuid}\` with one of these; the Update \`${RESOLVE_BOOKING}\` does the same:`,
    '',
    '- `--adopt CODE`: the parcel is there',
    `- \`--retry --attempt ${attempt}\`: it is certainly not there`,
    `- \`--give-up REASON --attempt ${attempt}\`: it is not wanted any more`,
  ].join('\n');
}
