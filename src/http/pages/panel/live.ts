import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import { notFound, Overloaded } from '../../../domain/errors.js';
import { shortDigest } from '../../../lib/digest.js';
import { Slots } from '../../../lib/limits/slots.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { showCapacity } from '../../../lib/metrics.js';
import { factsOf } from '../../middleware/access-log.js';
import type { MountedApp } from '../../mounted-app.js';
import { answerEnded } from './ended.js';
import type { PanelRequest, Params } from './form.js';
import { withKeys } from './once.js';
import type { Answer, Live, Visit } from './screen.js';
import { sendAnswer } from './send.js';

const { streams, streamsOfUser, renewedSeconds } = LIMITS.panel;
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Proxies that compress would collect events: nearly all leave alone what is not to be transformed, Caddy before 2.7
  // and Varnish only what has a coding already.
  'Cache-Control': 'no-store, no-transform',
  'Content-Encoding': 'identity',
  // nginx would collect events.
  'X-Accel-Buffering': 'no',
};
/** The page closes its stream on it. Without it the page opens another one. */
const END = 'event: end\ndata:\n\n';
/** Keeps proxies from ending a silent stream, and finds out that nobody reads it. */
const NOTHING_NEW = ':\n\n';

/** Asks a screen as the request does; null once its session has ended. */
type Look = () => Promise<{ visit: Visit; answer: Answer } | null>;

/**
 * Handlers of `/panel/live`: each sends the part of a page that changes by itself, as an event whenever it has changed,
 * until the work has ended. A page that finds no place gets the part with script that asks again and
 * again; one that had a place tries again later.
 */
export function liveParts(app: MountedApp) {
  const places = new Slots({ total: streams, perKey: streamsOfUser });
  showCapacity('panel.streams', places);
  return (lookFor: (req: PanelRequest, res: Response) => Look): RequestHandler<Params> =>
    async (req, res) => {
      const look = lookFor(req, res);
      const isAgain = req.headers['last-event-id'] !== undefined;
      const found = await look();
      if (found === null) {
        await answerEnded(app, req, res, {});
        return;
      }
      const live = liveOf(found.answer);
      const { visit, answer } = found;
      const release = app.draining?.aborted ? null : places.tryTake(visit.user.id);
      if (release === null) {
        if (isAgain) throw new Overloaded();
        res.set('HX-Reswap', 'outerMorph');
        await sendAnswer(req, res, { visit, account: null }, answer);
        return;
      }
      try {
        await stream(app, { req, res }, { visit, live, look });
      } finally {
        release();
      }
    };
}

/** @throws AppError `not_found` for a page without such a part */
function liveOf(answer: Answer): Live {
  if (!('live' in answer) || answer.live === undefined) throw notFound('page');
  return answer.live;
}

interface Followed {
  visit: Visit;
  live: Live;
  look: Look;
}

async function stream(
  app: MountedApp,
  { req, res }: { req: IncomingMessage; res: Response },
  { visit, live: first, look }: Followed,
): Promise<void> {
  factsOf(req).isStream = true;
  const over = new AbortController();
  const end = () => over.abort();
  res.once('close', end);
  if (res.closed) end();
  app.draining?.addEventListener('abort', end, { once: true, signal: over.signal });
  const pause = async () => {
    await delay(renewedSeconds * 1000, undefined, { signal: over.signal }).catch(() => undefined);
  };
  res.set(HEADERS).flushHeaders();
  let shown = req.headers['last-event-id'];
  for (let live: Live | null = first; live !== null; ) {
    const { text } = live.content;
    const tag = shortDigest(text);
    // The tag is of the text without keys, which differ each time.
    res.write(tag === shown ? NOTHING_NEW : eventOf(tag, withKeys(text)));
    shown = tag;
    if (!live.isOpen) break;
    await app.load.gate.whileSending(req, `panel:${visit.user.id}`, pause);
    if (over.signal.aborted) {
      res.end();
      return;
    }
    const found = await look();
    // The page asks for the stream again, and learns that the session has ended.
    if (found === null) {
      res.end();
      return;
    }
    live = liveOf(found.answer);
  }
  res.end(END);
}

function eventOf(tag: string, text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `id: ${tag}\n${lines.join('')}\n`;
}
