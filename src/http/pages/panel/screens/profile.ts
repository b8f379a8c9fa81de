import { AppError } from '../../../../domain/errors.js';
import { html } from '../../../../domain/html.js';
import type { FieldErrors } from '../../../../domain/problems/problem.js';
import { LANGUAGES } from '../../../../domain/recipient-words/language.js';
import {
  changeOwnPassword,
  chooseLanguage,
  recoveryCodesLeft,
  renewAuthenticator,
  renewRecoveryCodes,
} from '../../../../services/panel/own-access.js';
import { newTotpSecret } from '../../../../services/panel/proofs.js';
import { endSessions, sessionsOf } from '../../../../services/panel/sessions.js';
import { LEAST_PASSWORD, MOST_PASSWORD } from '../../../../services/panel/sign-in.js';
import { countWrong, tryingOf } from '../gate.js';
import { code, field, moment, select, table } from '../layout.js';
import { type Answer, actingApp, type ScreenPage, screen, type Visit } from '../screen.js';
import { authenticatorFields, recoveryCodes } from '../second-factor.js';
import { toldFields } from '../told.js';
import type { Words } from '../words/en.js';
import { filled, WORDS } from '../words/words.js';

const HERE = '/panel/profile/access';

const show = screen('get', '/profile', 'self', async ({ app, user, session, words }) => {
  const { profile: texts } = words;
  const sessions = await sessionsOf(app, user.id);
  const list = table(words, texts.sessions, sessions, [
    [texts.address, ({ address }) => code(address)],
    [texts.browser, ({ browser }) => html`<bdi class="cut">${browser}</bdi>`],
    [texts.lastUsed, ({ seenAt }) => moment(seenAt, words)],
    [
      texts.end,
      ({ id }) =>
        id === session.id
          ? texts.current
          : html`<form method="post" action="/panel/profile/sessions"><button name="end" value="${id}">${texts.end}</button></form>`,
    ],
  ]);
  const languages = LANGUAGES.map((one) => [one, WORDS[one].languageName] as const);
  return {
    title: texts.title,
    main: html`<p><bdi>${user.name}</bdi> · <bdi dir="ltr">${user.email}</bdi> · ${words.roles[user.role]}</p>
<form method="post" action="/panel/profile" class="row">
${select('language', words.language, languages, user.language)}
<button>${words.save}</button>
</form>
<p><a class="button second" href="/panel/profile/access">${texts.access}</a></p>
<h2>${texts.sessions}</h2>
${list}
<form method="post" action="/panel/profile/sessions"><button name="end" value="others">${texts.endOthers}</button></form>`,
  };
});

const save = screen('post', '/profile', 'self', async ({ app, user, form }) => {
  await chooseLanguage(app, user.id, form.get('language') ?? '');
  return { to: '/panel/profile', notice: 'saved' };
});

const end = screen('post', '/profile/sessions', 'self', async (visit) => {
  const { user, session, form } = visit;
  const ends = (chosen: Parameters<typeof endSessions>[3]) =>
    endSessions(actingApp(visit), user, 'panel-users.end-sessions', chosen);
  const which = form.get('end') ?? '';
  if (which === 'others') await ends({ butNot: session.id });
  else if (/^\d{1,15}$/.test(which)) await ends({ only: Number(which) });
  return { to: '/panel/profile', notice: 'sessionsEnded' };
});

const access = screen('get', '/profile/access', 'self', (visit) => page(visit, {}));

interface Wrong {
  password?: FieldErrors;
  codes?: FieldErrors;
}

/** The user's means to sign in, and how each is replaced. */
async function page({ app, user, words }: Visit, wrong: Wrong): Promise<ScreenPage> {
  const { profile: texts, invitation } = words;
  const left = await recoveryCodesLeft(app, user.email);
  if (left === null) return { title: texts.access, main: html`<p>${texts.noPassword}</p>` };
  return {
    title: texts.access,
    status: wrong.password === undefined && wrong.codes === undefined ? 200 : 422,
    main: html`<p>${texts.endsOthers}</p>
<form method="post" action="${HERE}/password" class="narrow">
<h2>${texts.changePassword}</h2>
<input type="email" name="email" value="${user.email}" autocomplete="username" hidden>
${field('current', texts.currentPassword, { type: 'password', error: wrong.password?.current && texts.wrongPassword, ltr: true, required: true, autocomplete: 'current-password' })}
${field('password', invitation.password, { type: 'password', hint: invitation.passwordHint, error: toldFields(words, wrong.password ?? {}).password?.[0], ltr: true, required: true, autocomplete: 'new-password', minlength: LEAST_PASSWORD, maxlength: MOST_PASSWORD })}
<button>${texts.changePassword}</button>
</form>
<form method="post" action="${HERE}/recovery-codes" class="narrow">
<h2>${texts.newCodes}</h2>
<p>${filled(texts.codesLeft, { count: left })} ${texts.newCodesHint}</p>
${presentCode('present', words, wrong.codes)}
<button>${texts.newCodes}</button>
</form>
<p><a class="button second" href="${HERE}/authenticator">${texts.newApp}</a></p>`,
  };
}

function presentCode(name: string, { profile: texts }: Words, fields: FieldErrors | undefined) {
  const error = fields?.current === undefined ? undefined : texts.wrongCode;
  return field(name, texts.presentCode, {
    error,
    ltr: true,
    required: true,
    autocomplete: 'one-time-code',
    maxlength: 20,
  });
}

/** Wrong ones count like those of a sign-in: who sits at another's open panel may guess as seldom. */
async function guessed<T>({ app, user, visitor }: Visit, attempt: () => Promise<T>): Promise<T> {
  return await countWrong(app, tryingOf(app, { email: user.email, ip: visitor.address }), attempt);
}

/** The fields of a refused form. @throws the error itself when it names none */
function fieldsOf(error: unknown): FieldErrors {
  if (error instanceof AppError && error.fields !== undefined) return error.fields;
  throw error;
}

const password = screen('post', '/profile/access/password', 'self', async (visit): Promise<Answer> => {
  const { form } = visit;
  const given = { current: form.get('current') ?? '', password: form.get('password') ?? '' };
  try {
    const session = await guessed(visit, () => changeOwnPassword(actingApp(visit), visit, given));
    return { to: HERE, notice: 'accessChanged', session };
  } catch (error) {
    return await page(visit, { password: fieldsOf(error) });
  }
});

const codes = screen('post', '/profile/access/recovery-codes', 'self', async (visit): Promise<Answer> => {
  const { form, words } = visit;
  try {
    const current = form.get('present') ?? '';
    const { token, recoveryCodes: made } = await guessed(visit, () =>
      renewRecoveryCodes(actingApp(visit), visit, { current }),
    );
    const main = recoveryCodes(words, { codes: made, next: HERE });
    return { title: words.invitation.recovery, main, session: token };
  } catch (error) {
    return await page(visit, { codes: fieldsOf(error) });
  }
});

const setUp = screen('get', '/profile/access/authenticator', 'self', async (visit) =>
  setUpPage(visit, newTotpSecret(), {}),
);

function setUpPage({ user, words }: Visit, secret: string, fields: FieldErrors): ScreenPage {
  const { profile: texts } = words;
  const error = fields.code === undefined ? undefined : texts.wrongCode;
  return {
    title: texts.newApp,
    status: Object.keys(fields).length === 0 ? 200 : 422,
    main: html`<form method="post" action="${HERE}/authenticator" class="narrow">
<p>${texts.newAppIntro} ${texts.endsOthers}</p>
${authenticatorFields(words, { secret, email: user.email, error })}
${presentCode('current', words, fields)}
<button>${words.save}</button>
</form>`,
  };
}

const authenticator = screen(
  'post',
  '/profile/access/authenticator',
  'self',
  async (visit): Promise<Answer> => {
    const { form } = visit;
    const value = (name: string) => form.get(name) ?? '';
    const secret = value('secret');
    const given = { secret, code: value('code'), current: value('current') };
    try {
      const session = await guessed(visit, () => renewAuthenticator(actingApp(visit), visit, given));
      return { to: HERE, notice: 'accessChanged', session };
    } catch (error) {
      return setUpPage(visit, secret, fieldsOf(error));
    }
  },
);

export const profileScreens = [show, save, end, access, password, codes, setUp, authenticator];
