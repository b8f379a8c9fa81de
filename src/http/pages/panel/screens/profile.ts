import { updatePanelUser } from '../../../../db/queries/accounts/panel-users.js';
import { html } from '../../../../domain/html.js';
import { isLanguage, LANGUAGES } from '../../../../domain/recipient-words/language.js';
import { endOtherSessions, endSession, sessionsOf } from '../../../../services/panel/sessions.js';
import { code, moment, row, select, table } from '../layout.js';
import { screen } from '../screen.js';
import { WORDS } from '../words/words.js';

const show = screen('get', '/profile', 'self', async ({ app, user, session, words }) => {
  const { profile: texts } = words;
  const sessions = await sessionsOf(app, user.id);
  const rows = sessions.map(({ id, address, browser, seenAt }) =>
    row(
      code(address),
      html`<bdi class="cut">${browser}</bdi>`,
      moment(seenAt, words),
      id === session.id
        ? texts.current
        : html`<form method="post" action="/panel/profile/sessions"><button name="end" value="${id}">${texts.end}</button></form>`,
    ),
  );
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
${table(texts.sessions, [texts.address, texts.browser, texts.lastUsed, texts.end], rows, words)}
<form method="post" action="/panel/profile/sessions"><button name="end" value="others">${texts.endOthers}</button></form>`,
  };
});

const save = screen('post', '/profile', 'self', async ({ app, user, form }) => {
  const language = form.get('language') ?? '';
  if (isLanguage(language)) await updatePanelUser(app.db, user.id, { language });
  return { to: '/panel/profile', notice: 'saved' };
});

const end = screen('post', '/profile/sessions', 'self', async ({ app, user, session, form }) => {
  const which = form.get('end') ?? '';
  if (which === 'others') await endOtherSessions(app, user.id, session.id);
  else if (/^\d{1,15}$/.test(which)) await endSession(app, user.id, Number(which));
  return { to: '/panel/profile', notice: 'sessionsEnded' };
});

export const profileScreens = [show, save, end];
