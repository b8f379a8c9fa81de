import { createHash } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { findToken } from '../../../db/queries/accounts/access-tokens.js';
import { findAccount } from '../../../db/queries/accounts/accounts.js';
import type { AppError } from '../../../domain/errors.js';
import { html } from '../../../domain/html.js';
import type { Language } from '../../../domain/recipient-words/language.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { isTokenText, resolveToken } from '../../../services/accounts/access-tokens.js';
import { labelsOfShipments } from '../../../services/labels/labels.js';
import { Admission, failuresOf } from '../../auth/admission.js';
import { limitPages } from '../../middleware/page-limit.js';
import { refuseMethod } from '../../mount.js';
import type { MountedApp } from '../../mounted-app.js';
import { readForm } from '../panel/form.js';
import { allFound, TO_BE_PRINTED } from '../panel/screens/found-shipments.js';
import { troubleLine } from '../panel/send.js';
import { filled, WORDS } from '../panel/words/words.js';
import { troubleHandler } from '../send-page.js';
import { chooseLanguage } from '../tracking/language.js';
import { queryOf, sendFrame, storeHost } from './frame.js';
import { parcelsPage } from './page.js';
import { type FrameOwner, readParcels, siteOf } from './parcels.js';
import { openTicket, sealTicket } from './ticket.js';

/**
 * `/wp/app`: the page that the public WordPress plugin shows in a frame of the store's admin. The plugin opens it with the
 * store's token in the query. That leads on to an address with a ticket instead, so that no link, history or page has the
 * token. A visitor with neither sees how a store is connected.
 */
export function storeFrameRouter(app: MountedApp): Router {
  const router = Router({ caseSensitive: true });
  const enter = entry(app);
  router.get('/', limitPages(app, 'GET /wp/app'), async (req, res) => {
    const query = queryOf(req);
    if (query.has('ticket')) await show(app, req, res);
    else await enter(req, res);
  });
  router.all('/', refuseMethod(['GET', 'HEAD']));
  router.post('/labels', limitPages(app, 'POST /wp/app/labels'), print(app));
  router.use(troubleHandler(app, showTrouble(app)));
  return router;
}

/** Changes the store's token for a ticket. Wrong tokens count as failed authentications of their address. */
function entry(app: MountedApp): (req: Request, res: Response) => Promise<void> {
  const tokens = new Admission<unknown>(app.limiter, () => null);
  return async (req, res) => {
    const query = queryOf(req);
    const store = storeHost(query.get(' store') ?? query.get('store'));
    const token = query.get('token') ?? '';
    // The plugin sends 0 where the store has none.
    if (store === null || token === '' || token === '0') return unconnected(req, res, store);
    const failures = failuresOf(req, app);
    const hash = createHash('sha256').update(token).digest('base64');
    const owner = isTokenText(token)
      ? await tokens.lookUp(hash, failures, () => resolveToken(app.db, token))
      : null;
    if (owner?.kind !== 'user') {
      app.limiter.take(failures.key, failures.perMinute);
      return unconnected(req, res, store);
    }
    const tokenId = Number(token.split('|')[0]);
    const next = new URLSearchParams({ ticket: sealTicket({ tokenId, store }, app.config.appKeys) });
    for (const id of query.getAll('select_ids')) next.append('select_ids', id);
    const language = query.get('lang');
    if (language !== null) next.set('lang', language);
    // Browsers keep what is behind the # of the first address.
    res.set('Cache-Control', 'no-store').redirect(303, `/wp/app?${next.toString()}`);
  };
}

function unconnected(req: Request, res: Response, store: string | null): void {
  const language = languageOf(req);
  const { storeFrame: texts } = WORDS[language];
  const main = html`<p>${texts.unconnected}</p>
<p><a href="/panel" target="_blank" rel="noopener">${texts.openPanel}</a></p>`;
  sendFrame(res, { status: 401, language, title: texts.connectTitle, main, store, query: null });
}

/** The owner of a ticket; null where it has ended or its token was revoked. */
async function ownerOf(app: MountedApp, sealed: string | null): Promise<FrameOwner | null> {
  const ticket = openTicket(sealed ?? '', app.config.appKeys);
  const token = ticket === null ? null : await findToken(app.db, ticket.tokenId);
  if (ticket === null || token?.owner?.kind !== 'user') return null;
  const account = await findAccount(app.db, token.owner.accountId);
  return account === null ? null : { account, store: ticket.store };
}

async function show(app: MountedApp, req: Request, res: Response): Promise<void> {
  const query = queryOf(req);
  const language = languageOf(req);
  const owner = await ownerOf(app, query.get('ticket'));
  if (owner === null) return ended(app, req, res, query.get('ticket'));
  const visit = { ...owner, language, query };
  const { storeFrame: texts } = WORDS[language];
  const main = parcelsPage(visit, await readParcels(app, owner, query));
  const title = filled(texts.title, { store: owner.store });
  sendFrame(res, { language, title, main, store: owner.store, query });
}

function ended(app: MountedApp, req: Request, res: Response, sealed: string | null): void {
  const language = languageOf(req);
  const { storeFrame: texts } = WORDS[language];
  const store = storeOf(app, sealed);
  const main = html`<p>${texts.ended}</p>`;
  sendFrame(res, { status: 401, language, title: texts.endedTitle, main, store, query: null });
}

/** The store of a ticket, which it names when it has ended too. */
function storeOf(app: MountedApp, sealed: string | null): string | null {
  return openTicket(sealed ?? '', app.config.appKeys, 0)?.store ?? null;
}

/** Prints the ticked parcels, or the first that have no label yet, and leads to their document. */
function print(app: MountedApp): RequestHandler<Record<string, string>> {
  return async (req, res) => {
    const form = await readForm(app, req, res, failuresOf(req, app).key);
    const owner = await ownerOf(app, form.get('ticket'));
    if (owner === null) return ended(app, req, res, form.get('ticket'));
    const { account, store } = owner;
    const shipments = form.get('all') === 'first' ? await unprinted(app, owner) : form.getAll('uuid');
    if (shipments.length === 0) {
      const language = languageOf(req);
      const { noneChosen, print: title } = WORDS[language].shipments;
      const main = html`<p class="error" role="alert">${noneChosen}</p>`;
      return sendFrame(res, { status: 422, language, title, main, store, query: null });
    }
    const options = { labelType: null, position: 1, sort: undefined };
    const { path } = await app.load.gate.whileWaiting(req, `account:${account.id}`, () =>
      labelsOfShipments(app, { accountId: account.id, shipments, options }),
    );
    res.redirect(303, path);
  };
}

/** The oldest parcels without a label, a page of them. */
async function unprinted(app: MountedApp, owner: FrameOwner): Promise<string[]> {
  const { account } = owner;
  const { ofSite } = await siteOf(app, owner);
  const query = new URLSearchParams(TO_BE_PRINTED);
  if (ofSite !== null) query.set('license', String(ofSite));
  return (await allFound({ app, account }, query, LIMITS.panel.pageRows)).map(({ uuid }) => uuid);
}

function languageOf(req: Request): Language {
  return chooseLanguage(queryOf(req).get('lang'), req.headers['accept-language'], '');
}

function showTrouble(app: MountedApp): (req: Request, res: Response, error: AppError) => void {
  return (req, res, error) => {
    const language = languageOf(req);
    const { title } = WORDS[language].trouble;
    const query = queryOf(req);
    const store = storeOf(app, query.get('ticket')) ?? storeHost(query.get(' store'));
    const main = troubleLine(error, language);
    sendFrame(res, { status: error.status, language, title, main, store, query: null });
  };
}
