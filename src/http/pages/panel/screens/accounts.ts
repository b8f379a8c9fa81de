import { listAccounts } from '../../../../db/queries/accounts/accounts.js';
import { html } from '../../../../domain/html.js';
import { LIMITS } from '../../../../lib/limits/values.js';
import { row, table } from '../layout.js';
import { screen } from '../screen.js';

const list = screen('get', '/accounts', 'operate', async ({ app, query, words }) => {
  const { accounts: texts } = words;
  const afterId = Number(query.get('after') ?? 0) || 0;
  const limit = LIMITS.panel.pageRows;
  const found = await listAccounts(app.db, { afterId, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const rows = shown.map(({ id, name, email, enableApi }) =>
    row(
      html`<a href="/panel/a/${id}/shipments"><bdi>${name}</bdi></a>`,
      html`<bdi dir="ltr">${email}</bdi>`,
      enableApi ? texts.open : texts.closed,
    ),
  );
  const last = shown.at(-1);
  const more = found.length > limit && last !== undefined;
  return {
    title: texts.title,
    main: html`${table(texts.title, [texts.name, texts.email, texts.isOpen], rows, words)}
${more ? html`<p class="pages"><a href="?after=${last.id}">${words.next}</a></p>` : null}`,
  };
});

export const accountScreens = [list];
