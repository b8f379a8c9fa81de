import type { AccountRecord } from '../../../../db/queries/accounts/accounts.js';
import { type Html, html } from '../../../../domain/html.js';
import { table } from '../layout.js';
import type { Words } from '../words/en.js';

/** Accounts, each with a link to its parcels. */
export function accountsTable(words: Words, label: string, list: readonly AccountRecord[]): Html {
  return table(words, label, list, [
    [words.name, ({ id, name }) => html`<a href="/panel/a/${id}/shipments"><bdi>${name}</bdi></a>`],
    ['#', ({ id }) => id],
    [words.email, ({ email }) => html`<bdi dir="ltr">${email}</bdi>`],
    [
      words.accounts.isOpen,
      ({ enableApi, disabledAt }) =>
        disabledAt === null ? (enableApi ? words.on : words.off) : words.disabled,
    ],
  ]);
}
