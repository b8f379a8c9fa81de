import type { Express, Request, RequestHandler } from 'express';
import { unknownRoute } from '../api/errors.js';
import { refuseTooMuch } from '../api/json-body.js';
import { AppError } from '../domain/errors.js';
import { LIMITS } from '../lib/limits/values.js';
import { keptLastingKey } from '../services/accounts/lasting-key.js';
import { receiveInbound } from '../services/carriers/inbound.js';
import { readInboundAddress } from '../services/carriers/inbound-addresses.js';
import { factsOf } from './middleware/access-log.js';
import { callerAddress } from './middleware/caller-address.js';
import { refuseMethod, send } from './mount.js';
import type { MountedApp } from './mounted-app.js';
import { refuseAnnounced } from './raw-body.js';

const PATH = '/carriers/:provider/:token';

/**
 * Receives carriers' webhooks. The path is the credential: a wrong one gets the answer of a missing route and is never
 * logged.
 */
export function mountInbound(web: Express, app: MountedApp): void {
  web.post(PATH, inboundHandler(app));
  web.all(PATH, refuseMethod(['POST']));
}

function inboundHandler(app: MountedApp): RequestHandler<{ provider: string; token: string }> {
  const { rateLimitPerMinute, authFailuresPerMinute } = app.config;
  const { limiter, load } = app;
  const lasting = keptLastingKey(app.db, app.config.appKeys);

  /** Only failures count by address: one carrier address may serve very many licenses. */
  const refuse = (req: { ip?: string | undefined }): AppError => {
    limiter.take(`inbound-address:${callerAddress(req)}`, authFailuresPerMinute);
    return unknownRoute();
  };

  return async (req, res) => {
    factsOf(req).route = 'POST /carriers/{provider}/{token}';
    refuseAnnounced(req, LIMITS.callers.inboundBodyBytes);
    const address = readInboundAddress(await lasting(), req.params);
    if (address === null) throw refuse(req);
    const caller = `inbound:${address.licenseId}`;
    limiter.take(caller, rateLimitPerMinute * LIMITS.callers.messagesARequest);
    const body = await load.bodies.read(req, res, {
      limitBytes: LIMITS.callers.inboundBodyBytes,
      caller,
    });
    // In a form it counts commas, of which carriers send few.
    refuseTooMuch(body, LIMITS.callers.inboundValues);
    const outcome = await receiveInbound(app, address, { headers: singleHeaders(req), body });
    if (outcome.kind === 'unknown') throw refuse(req);
    if (outcome.kind === 'received') {
      send(res, { status: 200, json: { received: outcome.count } });
      return;
    }
    const { provider, licenseId } = address;
    const { requestId } = factsOf(req);
    app.log.warn(
      { requestId, provider, licenseId, problem: outcome.kind, why: outcome.text },
      'carrier webhook refused',
    );
    throw outcome.kind === 'forged'
      ? new AppError('unauthenticated', "The message does not carry the carrier's proof.")
      : new AppError('malformed_json', 'The request body is no message of this carrier.');
  };
}

function singleHeaders(req: Pick<Request, 'headers'>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
