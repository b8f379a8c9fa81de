import type { Express, Request, RequestHandler, Response } from 'express';
import { parseJson } from '../api/json-body.js';
import { AppError } from '../domain/errors.js';
import { may } from '../domain/panel-roles.js';
import { digestOf } from '../lib/digest.js';
import { LIMITS } from '../lib/limits/values.js';
import { isSameHash } from '../lib/secrets.js';
import { factsOf } from './middleware/access-log.js';
import { callerAddress } from './middleware/caller-address.js';
import { refuseMethod, send } from './mount.js';
import type { MountedApp } from './mounted-app.js';
import { requestSession } from './pages/panel/admission.js';
import { refuseAnnounced } from './raw-body.js';

/** A UI that cannot send a token has it in its path, which is never logged. */
const PATHS = ['/temporal-codec/:operation', '/temporal-codec/:token/:operation'];
const OPERATIONS = ['decode', 'encode'] as const;

/**
 * `POST /temporal-codec/decode` and `/encode`: where the Temporal UI and CLI have payloads decrypted and encrypted for
 * people. Takes the session of an operator who is signed in to the panel, or `TEMPORAL_CODEC_TOKEN` as `Authorization:
 * Bearer` or in the path. Not there without `TEMPORAL_PAYLOAD_KEY`, or with neither panel nor token.
 */
export function mountCodec(web: Express, app: MountedApp): void {
  if (app.remoteCodec === undefined || (app.config.codecToken === null && !app.config.panel)) return;
  const uiOrigins = originsOf(app.config.temporalUiUrl);
  web.options(PATHS, (req, res) => {
    allowUi(req, res, uiOrigins);
    res.status(204).end();
  });
  web.post(PATHS, codecHandler(app, app.remoteCodec, uiOrigins));
  web.all(PATHS, refuseMethod(['POST', 'OPTIONS']));
}

function codecHandler(
  app: MountedApp,
  codec: NonNullable<MountedApp['remoteCodec']>,
  uiOrigins: readonly string[],
): RequestHandler<CodecRequest['params']> {
  const { load } = app;
  const limitBytes = LIMITS.engine.codecBodyBytes;
  return async (req, res) => {
    factsOf(req).route = 'POST /temporal-codec/{operation}';
    // A browser shows a refusal to the UI only with these.
    allowUi(req, res, uiOrigins);
    const operation = OPERATIONS.find((one) => one === req.params.operation);
    if (operation === undefined) throw new AppError('not_found', 'The operation is decode or encode.');
    refuseAnnounced(req, limitBytes);
    if (!hasToken(app, req) && !(await isOperator(app, req))) {
      app.limiter.take(`codec-address:${callerAddress(req)}`, app.config.authFailuresPerMinute);
      throw new AppError(
        'unauthenticated',
        'The token of the codec endpoint is missing or wrong, and no operator is signed in to the panel.',
      );
    }
    const body = await load.bodies.read(req, res, { limitBytes, caller: 'codec' });
    const text = JSON.stringify(codec(operation, parseJson(body).value));
    load.answers.take(req, res, Buffer.byteLength(text));
    send(res, { status: 200 }, { text });
  };
}

type CodecRequest = Request<{ operation?: string; token?: string }>;

function hasToken({ config: { codecToken } }: MountedApp, req: CodecRequest): boolean {
  if (codecToken === null) return false;
  const sent = req.params.token ?? /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
  return isSameHash(digestOf(codecToken), digestOf(sent));
}

async function isOperator(app: MountedApp, req: CodecRequest): Promise<boolean> {
  const session = app.config.panel ? await requestSession(app, req) : null;
  return session !== null && may(session.user.role, 'operate');
}

/** A local UI has two names. */
function originsOf(uiUrl: string | null): string[] {
  if (uiUrl === null) return [];
  const { origin } = new URL(uiUrl);
  return [origin, origin.replace('//127.0.0.1', '//localhost'), origin.replace('//localhost', '//127.0.0.1')];
}

/** Lets the Temporal UI's pages, and no others, read the answers. */
function allowUi(req: Pick<Request, 'headers'>, res: Response, uiOrigins: readonly string[]): void {
  const { origin } = req.headers;
  res.vary('Origin');
  if (origin === undefined || !uiOrigins.includes(origin)) return;
  res.set({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': 'content-type, x-namespace, authorization',
    'Access-Control-Max-Age': '3600',
  });
}
