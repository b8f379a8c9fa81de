import type { CarrierTrouble, Creation } from '../../src/contracts/create-shipment.js';
import { RESOLVE_BOOKING } from '../../src/contracts/create-shipment.js';
import { utcMinute } from './moments.js';
import { CARRIER_PATIENCE_MS } from './proxies.js';
import { showDetails } from './show-details.js';

/** Says under Current Details how a creation stands, a sentence at each step. None of it is an event. */
export interface CreationDetails {
  /** The carrier is asked from now on. */
  booking(uuid: string): void;
  /** The carrier keeps the booking waiting; says nothing unless it is asked now. */
  waits(trouble: CarrierTrouble): void;
  asksOperator(uuid: string, reason: string): void;
  /** `byDecision`: the code is that of an operator's decision. */
  booked(uuid: string, trackingCode: string, byDecision: boolean): void;
  refused(uuid: string, text: string, byCarrier: boolean): void;
  /** The run is ended from outside while the carrier is asked. */
  ended(): void;
  /** The key has its answer already. */
  replayed(uuid: string): void;
  /** The carrier was never asked. */
  notBegun(why: string): void;
}

/** The details of one creation. */
export function openDetails({ carrier: { name } }: Pick<Creation, 'carrier'>): CreationDetails {
  /** The booking that is under way. */
  let asking: { uuid: string; sinceMs: number } | undefined;
  const settle = (text: string) => {
    asking = undefined;
    showDetails(text);
  };
  return {
    booking(uuid) {
      asking = { uuid, sinceMs: Date.now() };
      showDetails(`Booking with ${name}. ${storyOf(uuid)}`);
    },
    waits(trouble) {
      if (asking !== undefined)
        showDetails(`${waiting(name, asking.sinceMs, trouble)} ${storyOf(asking.uuid)}`);
    },
    asksOperator: (uuid, reason) => settle(question(uuid, reason)),
    booked: (uuid, code, byDecision) =>
      settle(`${byDecision ? 'Adopted' : 'Booked'} with ${name}: ${code}. ${storyOf(uuid)}`),
    refused(uuid, text, byCarrier) {
      const who = byCarrier ? `Refused by ${name}` : 'Nothing is booked';
      settle(`${who}: ${oneLine(text)}\n\nThe key is free again. ${storyOf(uuid)}`);
    },
    ended() {
      if (asking === undefined) return;
      settle(
        `Ended from outside while ${name} was asked. Within 15 minutes the key is free if nothing was sent; else ` +
          `\`admin needs-attention\` lists the shipment. ${storyOf(asking.uuid)}`,
      );
    },
    replayed: (uuid) => settle(`Answered as before. ${storyOf(uuid)}`),
    notBegun: (why) => settle(`Nothing is booked, the carrier was not asked: ${why}`),
  };
}

/** Where an operator reads the rest. */
export function storyOf(uuid: string): string {
  return `\`admin show ${uuid}\` tells more.`;
}

/** A carrier's words, short enough to leave the rest in sight. */
export function oneLine(words: string): string {
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}

/** A carrier's words may end without a full stop. */
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

/** Lists and short lines: the UI has no room for more, strips what looks like a tag, and knows tables since 2026 only. */
function question(uuid: string, reason: string): string {
  return [
    `**Waits for a decision.** ${oneLine(reason)}`,
    '',
    `Look in the carrier's own system for \`${uuid}\`; \`admin show ${uuid}\` tells what was sent. Then \`admin resolve ${uuid}\` with one of these; the Update \`${RESOLVE_BOOKING}\` does the same:`,
    '',
    '- `--adopt CODE`: the parcel is there',
    '- `--retry`: it is certainly not there',
    '- `--give-up REASON`: it is not wanted any more',
  ].join('\n');
}
