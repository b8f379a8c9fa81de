import { findListedToken } from '../../../../db/queries/accounts/access-tokens.js';
import { findUser, type UserRecord } from '../../../../db/queries/accounts/users.js';
import { notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { israelDayOf } from '../../../../lib/israel-time.js';
import { issueUserToken, revokeToken, tokenList } from '../../../../services/admin/tokens.js';
import { changeUser, createUser, userList } from '../../../../services/admin/users.js';
import { changedIn, edited, onlyChanged, type Present } from '../edited.js';
import { facts, field, moment, table } from '../layout.js';
import { alert, checkbox, confirmed, fieldsOf, idPage, shownOf, shownOnce } from '../parts.js';
import { type AccountVisit, accountForm, accountScreen, actingApp, type ScreenPage } from '../screen.js';
import type { Refusal } from '../told.js';
import type { Words } from '../words/en.js';

const show = accountScreen('get', '/users', 'administer', (visit) => listPage(visit));

async function listPage(visit: AccountVisit, refusal: Refusal | null = null): Promise<ScreenPage> {
  const { app, account, form, words } = visit;
  const { merchantUsers: texts } = words;
  const found = await userList(app, { account: account.id, ...idPage(visit) });
  const { shown, next } = shownOf(found, visit);
  const users = table(words, texts.title, shown, [
    [words.name, ({ id, name }) => html`<a href="/panel/a/${account.id}/users/${id}"><bdi>${name}</bdi></a>`],
    [words.email, ({ email }) => html`<bdi dir="ltr">${email}</bdi>`],
    [texts.premium, (user) => premium(user, words)],
  ]);
  return {
    title: texts.title,
    main: html`<p>${texts.intro}</p>
${users}
${next}
<h2>${words.newUser}</h2>
${alert(refusal)}
<form method="post" action="/panel/a/${account.id}/users" class="sheet">${inputs(words, form, refusal)}<button>${words.create}</button></form>`,
  };
}

function premium({ isPremium, premiumUntil }: UserRecord, words: Words): Html {
  if (!isPremium) return html`${words.no}`;
  return html`${words.yes}${premiumUntil === null ? null : html` – ${moment(premiumUntil, words)}`}`;
}

function inputs(words: Words, form: URLSearchParams, refusal: Refusal | null): Html {
  const { merchantUsers: texts } = words;
  const input = fieldsOf(form, refusal);
  return html`<fieldset>
${input('name', words.name, { required: true, maxlength: 255 })}
${input('email', words.email, { type: 'email', ltr: true, required: true })}
${checkbox('premium', texts.premium, { value: 'on', isChecked: form.get('premium') !== null })}
${input('premiumUntil', texts.premiumUntil, { type: 'date', hint: words.endsHint })}
</fieldset>`;
}

/** A user as the form has it. */
function givenIn({ form }: AccountVisit) {
  const text = (name: string) => form.get(name)?.trim() ?? '';
  const premiumUntil = text('premiumUntil') || null;
  return {
    name: text('name'),
    email: text('email'),
    premium: form.get('premium') !== null,
    premiumUntil,
  };
}

const create = accountForm('/users', 'administer', listPage, async (visit) => {
  const { account } = visit;
  const { id } = await createUser(actingApp(visit), { ...givenIn(visit), account: account.id });
  return { to: `/panel/a/${account.id}/users/${id}`, notice: 'saved' };
});

/** The user of the path; another account's is missing. @throws AppError `not_found` */
async function readUser({ app, account, params }: AccountVisit): Promise<UserRecord> {
  const id = Number(params.user);
  const user = Number.isSafeInteger(id) ? await findUser(app.db, { id }) : null;
  if (user?.accountId !== account.id) throw notFound('user');
  return user;
}

const showOne = accountScreen('get', '/users/:user', 'administer', (visit) => onePage(visit));

/** `issued`: a token, on no other page. */
async function onePage(
  visit: AccountVisit,
  refusal: Refusal | null = null,
  issued?: { name: string; token: string },
): Promise<ScreenPage> {
  const { account, form, words } = visit;
  const user = await readUser(visit);
  const { merchantUsers: texts } = words;
  const here = `/panel/a/${account.id}/users/${user.id}`;
  const isOfToken = form.has('tokenName');
  const { form: shown, was } = edited(form, presentOf(user));
  return {
    title: user.name,
    main: html`${issued === undefined ? null : shownOnce(html`<bdi>${issued.name}</bdi>: ${texts.once}`, [[null, issued.token]])}
${facts([[texts.made, moment(user.createdAt, words)]])}
${isOfToken ? null : alert(refusal)}
<form method="post" action="${here}" class="sheet">${was}${inputs(words, shown, isOfToken ? null : refusal)}<button>${words.save}</button></form>
<h2>${texts.tokens}</h2>
${await tokens(visit, here, user)}
<form method="post" action="${here}/tokens" class="row">
${field('tokenName', texts.tokenName, { required: true, maxlength: 255, error: isOfToken ? refusal?.fields.name?.[0] : undefined })}
<button>${texts.issue}</button></form>`,
  };
}

function presentOf({ name, email, isPremium, premiumUntil }: UserRecord): Present {
  const now = new URLSearchParams({
    name,
    email,
    premiumUntil: premiumUntil === null ? '' : israelDayOf(premiumUntil),
  });
  if (isPremium) now.set('premium', 'on');
  return { names: ['name', 'email', 'premium', 'premiumUntil'], now };
}

async function tokens(visit: AccountVisit, here: string, user: UserRecord): Promise<Html> {
  const { app, words } = visit;
  const { merchantUsers: texts } = words;
  const found = await tokenList(app, { user: String(user.id), ...idPage(visit) });
  const { shown, next } = shownOf(found, visit);
  const list = table(words, texts.tokens, shown, [
    ['#', ({ id }) => id],
    [words.name, ({ name }) => html`<bdi>${name}</bdi>`],
    [texts.made, ({ createdAt }) => moment(createdAt, words)],
    [words.lastUsed, ({ lastUsedAt }) => moment(lastUsedAt, words) ?? words.unused],
    [
      words.revoke,
      ({ id }) =>
        confirmed(`${here}/tokens/${id}/revoke`, {
          button: words.revoke,
          question: words.forms.revokeTokenQuestion,
        }),
    ],
  ]);
  return html`${list}
${next}`;
}

const change = accountForm('/users/:user', 'administer', onePage, async (visit) => {
  const user = await readUser(visit);
  // The form has the day alone: one that was not touched keeps its hour.
  const changed = changedIn(visit.form, presentOf(user), visit.words);
  const changes = onlyChanged(changed, givenIn(visit));
  await changeUser(actingApp(visit), { ...changes, user: String(user.id) });
  return { to: `/panel/a/${visit.account.id}/users/${user.id}`, notice: 'saved' };
});

const issue = accountForm('/users/:user/tokens', 'administer', onePage, async (visit) => {
  const user = await readUser(visit);
  const name = visit.form.get('tokenName')?.trim() ?? '';
  return await onePage(visit, null, await issueUserToken(actingApp(visit), { user: String(user.id), name }));
});

const revoke = accountScreen('post', '/users/:user/tokens/:token/revoke', 'administer', async (visit) => {
  const user = await readUser(visit);
  const id = Number(visit.params.token);
  const token = Number.isSafeInteger(id) ? await findListedToken(visit.app.db, id) : null;
  if (token?.userId !== user.id) throw notFound('token');
  await revokeToken(actingApp(visit), { id });
  return { to: `/panel/a/${visit.account.id}/users/${user.id}`, notice: 'ended' };
});

export const merchantUserScreens = [show, create, showOne, change, issue, revoke];
