import { findListedToken } from '../../../../db/queries/accounts/access-tokens.js';
import { findUser, type UserRecord } from '../../../../db/queries/accounts/users.js';
import { notFound } from '../../../../domain/errors.js';
import { type Html, html } from '../../../../domain/html.js';
import { issueUserToken, revokeToken, tokenList } from '../../../../services/admin/tokens.js';
import { changeUser, createUser, userList } from '../../../../services/admin/users.js';
import { actingApp } from '../actor.js';
import { facts, field, moment, row, table } from '../layout.js';
import { alert, checkbox, idPage, type Refusal, refusalOf, shownOf, shownOnce } from '../parts.js';
import { type AccountVisit, accountScreen, type ScreenPage } from '../screen.js';
import type { Words } from '../words/en.js';

const show = accountScreen('get', '/users', 'administer', (visit) => listPage(visit, null));

async function listPage(visit: AccountVisit, refusal: Refusal | null): Promise<ScreenPage> {
  const { app, account, form, words } = visit;
  const { merchantUsers: texts } = words;
  const found = await userList(app, { account: account.id, ...idPage(visit) });
  const { shown, next } = shownOf(found, visit);
  const rows = shown.map((user) =>
    row(
      html`<a href="/panel/a/${account.id}/users/${user.id}"><bdi>${user.name}</bdi></a>`,
      html`<bdi dir="ltr">${user.email}</bdi>`,
      premium(user, words),
    ),
  );
  return {
    title: texts.title,
    status: refusal === null ? 200 : 422,
    main: html`<p>${texts.intro}</p>
${table(texts.title, [words.name, words.email, texts.premium], rows, words)}
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
  const errors = refusal?.fields ?? {};
  return html`<fieldset>
${field('name', words.name, { required: true, maxlength: 255, value: form.get('name') ?? '', error: errors.name?.[0] })}
${field('email', words.email, { type: 'email', ltr: true, required: true, value: form.get('email') ?? '', error: errors.email?.[0] })}
${checkbox('premium', texts.premium, { value: 'on', isChecked: form.get('premium') !== null })}
${field('premiumUntil', texts.premiumUntil, { type: 'date', value: form.get('premiumUntil') ?? '', hint: words.endsHint, error: errors.premiumUntil?.[0] })}
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

const create = accountScreen('post', '/users', 'administer', async (visit) => {
  const { account } = visit;
  try {
    const { id } = await createUser(actingApp(visit), { ...givenIn(visit), account: account.id });
    return { to: `/panel/a/${account.id}/users/${id}`, notice: 'saved' };
  } catch (error) {
    return await listPage(visit, refusalOf(error));
  }
});

/** The user of the path; another account's is missing. @throws AppError `not_found` */
async function readUser({ app, account, params }: AccountVisit): Promise<UserRecord> {
  const id = Number(params.user);
  const user = Number.isSafeInteger(id) ? await findUser(app.db, { id }) : null;
  if (user?.accountId !== account.id) throw notFound('user');
  return user;
}

const showOne = accountScreen('get', '/users/:user', 'administer', async (visit) =>
  onePage(visit, await readUser(visit), {}),
);

/** `issued`: a token, on no other page. */
async function onePage(
  visit: AccountVisit,
  user: UserRecord,
  { refusal = null, issued }: { refusal?: Refusal | null; issued?: { name: string; token: string } },
): Promise<ScreenPage> {
  const { account, form, words } = visit;
  const { merchantUsers: texts } = words;
  const here = `/panel/a/${account.id}/users/${user.id}`;
  const isOfToken = form.has('tokenName');
  return {
    title: user.name,
    status: refusal === null ? 200 : 422,
    main: html`${issued === undefined ? null : shownOnce(html`<bdi>${issued.name}</bdi>: ${texts.once}`, [[null, issued.token]])}
${facts([[texts.made, moment(user.createdAt, words)]])}
${isOfToken ? null : alert(refusal)}
<form method="post" action="${here}" class="sheet">${inputs(words, form.has('email') ? form : formOf(user), isOfToken ? null : refusal)}<button>${words.save}</button></form>
<h2>${texts.tokens}</h2>
${await tokens(visit, here, user)}
<form method="post" action="${here}/tokens" class="row">
${field('tokenName', texts.tokenName, { required: true, maxlength: 255, error: isOfToken ? refusal?.fields.name?.[0] : undefined })}
<button>${texts.issue}</button></form>`,
  };
}

function formOf({ name, email, isPremium, premiumUntil }: UserRecord): URLSearchParams {
  const form = new URLSearchParams({ name, email, premiumUntil: premiumUntil?.slice(0, 10) ?? '' });
  if (isPremium) form.set('premium', 'on');
  return form;
}

async function tokens(visit: AccountVisit, here: string, user: UserRecord): Promise<Html> {
  const { app, words } = visit;
  const { merchantUsers: texts } = words;
  const found = await tokenList(app, { user: String(user.id), ...idPage(visit) });
  const { shown, next } = shownOf(found, visit);
  const rows = shown.map(({ id, name, lastUsedAt, createdAt }) =>
    row(
      id,
      html`<bdi>${name}</bdi>`,
      moment(createdAt, words),
      moment(lastUsedAt, words) ?? words.unused,
      html`<form method="post" action="${here}/tokens/${id}/revoke"><button class="second">${words.revoke}</button></form>`,
    ),
  );
  const heads = ['#', words.name, texts.made, words.lastUsed, words.revoke];
  return html`${table(texts.tokens, heads, rows, words)}
${next}`;
}

const change = accountScreen('post', '/users/:user', 'administer', async (visit) => {
  const user = await readUser(visit);
  const { premiumUntil, ...given } = givenIn(visit);
  // The form has the day alone, and one that was not touched keeps its hour.
  const isSame = premiumUntil === (user.premiumUntil?.slice(0, 10) ?? null);
  const changes = isSame ? given : { ...given, premiumUntil };
  try {
    await changeUser(actingApp(visit), { ...changes, user: String(user.id) });
  } catch (error) {
    return await onePage(visit, user, { refusal: refusalOf(error) });
  }
  return { to: `/panel/a/${visit.account.id}/users/${user.id}`, notice: 'saved' };
});

const issue = accountScreen('post', '/users/:user/tokens', 'administer', async (visit) => {
  const user = await readUser(visit);
  const name = visit.form.get('tokenName')?.trim() ?? '';
  try {
    const issued = await issueUserToken(actingApp(visit), { user: String(user.id), name });
    return await onePage(visit, user, { issued });
  } catch (error) {
    return await onePage(visit, user, { refusal: refusalOf(error) });
  }
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
