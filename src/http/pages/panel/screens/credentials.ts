import type { ListedCredentials } from '../../../../db/queries/accounts/credentials.js';
import { notFound } from '../../../../domain/errors.js';
import { html } from '../../../../domain/html.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import {
  createCredentials,
  credentialList,
  disableCredentials,
  type IssuedCredentials,
  revokeCredentials,
  rotateCredentials,
} from '../../../../services/admin/credentials.js';
import { filledFields } from '../form.js';
import { code, facts, moment, select, table } from '../layout.js';
import { alert, checkbox, confirmed, fieldsOf, shownOnce } from '../parts.js';
import {
  type AccountVisit,
  type Answer,
  accountForm,
  accountScreen,
  actingApp,
  type ScreenPage,
} from '../screen.js';
import type { Refusal } from '../told.js';

const show = accountScreen('get', '/credentials', 'own', (visit) => listPage(visit));

async function listPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, account, form, words } = visit;
  const { credentials: texts } = words;
  const here = `/panel/a/${account.id}/credentials`;
  const input = fieldsOf(form, refusal);
  const found = await credentialList(app, { account: account.id });
  const list = table(words, texts.title, found, [
    [words.name, ({ name, clientId }) => html`<a href="${here}/${clientId}"><bdi>${name}</bdi></a>`],
    [texts.clientId, ({ clientId }) => code(clientId)],
    [texts.right, ({ isReadOnly }) => (isReadOnly ? texts.readOnly : words.everything)],
    [texts.ends, ({ expiresAt }) => moment(expiresAt, words) ?? texts.never],
    [words.lastUsed, ({ lastUsedAt }) => moment(lastUsedAt, words) ?? words.unused],
  ]);
  return {
    title: texts.title,
    main: html`<p>${texts.intro}</p>
${account.enableApi && account.disabledAt === null ? null : html`<p class="error">${texts.closed}</p>`}
${list}
<h2>${texts.new}</h2>
${alert(refusal)}
<form method="post" action="${here}" class="sheet"><fieldset>
${input('name', words.name, { required: true, maxlength: 255, hint: texts.nameHint })}
${input('expires', texts.ends, { type: 'date', hint: words.endsHint })}
${checkbox('read_only', texts.readOnlyHint, { value: 'on', isChecked: form.get('read_only') !== null })}
</fieldset><button>${words.create}</button></form>
${found.length < 2 ? null : html`<div class="actions">${confirmed(`${here}/end`, { button: texts.endAll, question: texts.endAllQuestion })}</div>`}`,
  };
}

const create = accountForm('/credentials', 'own', listPage, async (visit) => {
  const { account, form } = visit;
  const request = {
    account: account.id,
    name: form.get('name')?.trim() ?? '',
    ...filledFields(form, ['expires']),
    readOnly: form.get('read_only') !== null,
  };
  return issuedPage(visit, await createCredentials(actingApp(visit), request));
});

const endAll = accountScreen('post', '/credentials/end', 'own', async (visit) => {
  await disableCredentials(actingApp(visit), { account: visit.account.id });
  return { to: `/panel/a/${visit.account.id}/credentials`, notice: 'ended' };
});

/** The secret, on no other page. */
function issuedPage({ app, account, words }: AccountVisit, issued: IssuedCredentials): ScreenPage {
  const { credentials: texts } = words;
  return {
    title: texts.new,
    main: html`${shownOnce(html`<bdi>${issued.name}</bdi>: ${texts.once}`, [
      ['X-Client-Id', issued.clientId],
      ['X-Client-Secret', issued.clientSecret],
      ...(issued.isReadOnly
        ? []
        : ([[texts.connectionCode, connectionCode(app.config.baseUrl, issued)]] as const)),
    ])}
<p><a class="button" href="/panel/a/${account.id}/credentials">${texts.title}</a></p>`,
  };
}

/** All that a shop's plugin asks for, as one text to paste: it shows nothing that the page does not. */
function connectionCode(url: string, { clientId, clientSecret }: IssuedCredentials): string {
  const text = JSON.stringify({ url, id: clientId, secret: clientSecret });
  return `pw1_${Buffer.from(text).toString('base64url')}`;
}

/** The credentials of the path; those of another account are missing. @throws AppError `not_found` */
async function readCredentials({ app, account, params }: AccountVisit): Promise<ListedCredentials> {
  const found = await credentialList(app, { account: account.id });
  const one = found.find(({ clientId }) => clientId === params.credential);
  if (one === undefined) throw notFound('credentials');
  return one;
}

const showOne = accountScreen('get', '/credentials/:credential', 'own', (visit) => onePage(visit));

async function onePage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { account, form, words } = visit;
  const one = await readCredentials(visit);
  const { credentials: texts } = words;
  const here = `/panel/a/${account.id}/credentials/${one.clientId}`;
  const usual = `${LIMITS.callers.overlapHours}h`;
  const overlaps = Object.entries({
    none: texts.atOnce,
    '1h': texts.anHour,
    [usual]: texts.aDay,
    '7d': texts.aWeek,
  });
  const overlap = form.get('overlap') ?? usual;
  const input = fieldsOf(form, refusal);
  return {
    title: one.name,
    main: html`${facts([
      [texts.clientId, code(one.clientId)],
      [texts.secret, code(`…${one.clientSecretLast4}`)],
      [texts.right, one.isReadOnly ? texts.readOnly : words.everything],
      [texts.ends, moment(one.expiresAt, words) ?? texts.never],
      [words.lastUsed, moment(one.lastUsedAt, words) ?? words.unused],
      [texts.made, moment(one.createdAt, words)],
    ])}
<h2>${texts.rotate}</h2>
${alert(refusal)}
<form method="post" action="${here}/rotate" class="sheet"><p>${texts.rotateIntro}</p><fieldset>
${select('overlap', texts.overlap, overlaps, overlap)}
${input('expires', texts.ends, { type: 'date', hint: texts.keepHint })}
</fieldset><button>${texts.rotate}</button></form>
<h2>${words.revoke}</h2>
<div class="actions">${confirmed(`${here}/revoke`, { button: words.revoke, question: texts.revokeQuestion })}</div>`,
  };
}

const rotate = accountForm('/credentials/:credential/rotate', 'own', onePage, async (visit) => {
  const { clientId } = await readCredentials(visit);
  const given = filledFields(visit.form, ['overlap', 'expires']);
  const request = { clientId, account: visit.account.id, ...given };
  return issuedPage(visit, await rotateCredentials(actingApp(visit), request));
});

const revoke = accountScreen(
  'post',
  '/credentials/:credential/revoke',
  'own',
  async (visit): Promise<Answer> => {
    const { clientId } = await readCredentials(visit);
    await revokeCredentials(actingApp(visit), { clientId, account: visit.account.id });
    return { to: `/panel/a/${visit.account.id}/credentials`, notice: 'ended' };
  },
);

export const credentialScreens = [show, create, endAll, showOne, rotate, revoke];
