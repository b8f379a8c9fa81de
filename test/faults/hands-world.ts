import type { Role } from '../../src/domain/panel-roles.js';
import { eventually } from '../support/conditions.js';
import { askPanel, codeOf, PASSWORD, type PanelAnswer, recoveryCodesOn, signUp } from '../support/panel.js';
import type { Fields } from '../support/panel-fill.js';
import { addressOf, type Sendable } from '../support/panel-walk.js';
import type { TestStack } from '../support/stack.js';
import type { Random } from './seeded-random.js';

/**
 * Objects that the hands may open, by the parameters of screens; each statement takes the account and what is chosen
 * already. What there is of them the hands make themselves. `@…` is replaced by a value chosen before.
 */
const OBJECTS: Record<string, string> = {
  license: 'SELECT id FROM licenses WHERE account_id = @account AND license_key NOT IN (@keys)',
  site: 'SELECT id FROM store_sites WHERE account_id = @account',
  user: 'SELECT id FROM users WHERE account_id = @account',
  member: 'SELECT id FROM panel_users WHERE account_id = @account',
  id: 'SELECT id FROM panel_users WHERE account_id IS NULL',
  company: 'SELECT id FROM companies',
  credential:
    'SELECT client_id AS id FROM client_credentials WHERE account_id = @account AND (expires_at IS NULL OR expires_at > NOW(6))',
  uuid: 'SELECT uuid AS id, id AS place FROM shipments WHERE account_id = @account',
  batch: 'SELECT uuid AS id, id AS place FROM batches WHERE account_id = @account',
  webhook:
    'SELECT s.id, s.created_at AS place FROM webhook_subscriptions s JOIN licenses l ON l.id = s.license_id WHERE s.account_id = @account AND l.license_key = @key',
  delivery: 'SELECT uuid AS id, id AS place FROM webhook_deliveries WHERE subscription_id = @webhook',
  template:
    'SELECT t.id FROM notification_templates t JOIN licenses l ON l.id = t.license_id WHERE l.license_key = @key',
  draft: 'SELECT uuid AS id, id AS place FROM import_drafts WHERE account_id = @account',
  row: "SELECT r.id FROM import_rows r JOIN import_drafts d ON d.id = r.draft_id WHERE d.uuid = @draft AND r.state <> 'booked'",
};

/** How many of the newest objects of a kind are opened. */
const NEWEST = 6;

/** A page's address with objects that there are now; null where one is missing. */
export async function addressNow(stack: TestStack, random: Random, page: string): Promise<string | null> {
  const { run = '', independent = '' } = stack.account.licenseKeys;
  const isNew = /\/shipments\/(new|points)/.test(page);
  const license = isNew && random.below(4) === 0 ? independent : run;
  const [row] = await stack.db.select('SELECT id FROM licenses WHERE license_key = ?', [license]);
  const params: Record<string, string> = { account: String(stack.account.id) };
  for (const [, name = ''] of page.matchAll(/:(\w+)/g)) {
    if (name in params) continue;
    const found = await objectNow(stack, random, name, { ...params, key: license });
    if (found === null) return null;
    params[name] = found;
  }
  return addressOf({ params }, page, String(row?.id));
}

/** One of the newest objects of a kind. */
export async function objectNow(
  stack: TestStack,
  random: Random,
  kind: string,
  params: Record<string, string> = { account: String(stack.account.id) },
): Promise<string | null> {
  const template = OBJECTS[kind];
  if (template === undefined) throw new Error(`no objects for :${kind}; see OBJECTS`);
  const { run = '', independent = '' } = stack.account.licenseKeys;
  const values: string[] = [];
  const sql = template.replaceAll(/@(\w+)/g, (_all, name: string) => {
    if (name === 'keys') values.push(run, independent);
    else values.push(params[name] ?? '');
    return name === 'keys' ? '?, ?' : '?';
  });
  const order = / AS place /.test(sql)
    ? 'place'
    : sql.startsWith('SELECT t.id') || sql.startsWith('SELECT r.id')
      ? '1'
      : 'id';
  const rows = await stack.db.select(`${sql} ORDER BY ${order} DESC LIMIT ${NEWEST}`, values);
  return rows.length === 0 ? null : String(random.pick(rows).id);
}

/** A form that a person has open, or has sent. */
export interface Tab {
  one: Sendable;
  sent?: { fields: Fields; first: PanelAnswer };
}

/** A person at the panel with tabs and what it signs in with. */
export class Person {
  email = '';
  cookie = '';
  role: Role = 'administrator';
  tabs: Tab[] = [];
  sent: Tab[] = [];
  /** Questions that the last answer asked. */
  asked: Tab[] = [];
  #password = PASSWORD;
  #codes: string[] = [];

  constructor(
    readonly stack: TestStack,
    readonly url: string,
    readonly place: number,
  ) {}

  /** Begins as a new user: requests of one are limited. */
  async begin(role: Role): Promise<void> {
    const { stack, url } = this;
    const account = role === 'owner' || role === 'staff' ? stack.account.id : undefined;
    const made = await signUp({ db: stack.db, config: stack.config, url }, role, account);
    if (made.accepted.cookie === '') throw new Error(`nobody came in: ${made.accepted.status}`);
    Object.assign(this, {
      email: made.email,
      cookie: made.accepted.cookie,
      role,
      tabs: [],
      sent: [],
      asked: [],
    });
    this.#password = PASSWORD;
    this.#codes = made.codes;
  }

  /** An answer other than 429, after which a person waits. */
  async ask(path: string, form?: Fields): Promise<PanelAnswer> {
    const headers = { cookie: this.cookie };
    const asking = { ...(form === undefined ? {} : { form }), headers };
    let answer = await askPanel(this.url + path, asking);
    await eventually(
      async () => {
        if (answer.status === 429) answer = await askPanel(this.url + path, asking);
        return answer.status !== 429;
      },
      'an answer after 429',
      90_000,
    );
    if (answer.cookie.startsWith('parcelworks=')) this.cookie = answer.cookie;
    return answer;
  }

  /** This person's secrets, for forms that ask for them. */
  proofs({ path, form }: Sendable): Record<string, string> {
    switch (path) {
      case '/profile/access/password':
        return { current: this.#password, password: `${PASSWORD} ${form.fields.length}` };
      case '/profile/access/recovery-codes':
        return { present: this.#codes.at(-1) ?? '' };
      case '/profile/access/authenticator':
        return {
          code: codeOf(new URLSearchParams(form.fields).get('secret') ?? ''),
          current: this.#codes.at(-1) ?? '',
        };
      default:
        return {};
    }
  }

  /** Learns what such a form has changed. */
  learn({ path }: Sendable, fields: Fields, answer: PanelAnswer): void {
    const sent = new URLSearchParams(fields);
    if (path === '/profile/access/password') this.#password = sent.get('password') ?? '';
    if (path === '/profile/access/authenticator') this.#codes.pop();
    if (path === '/profile/access/recovery-codes') this.#codes = recoveryCodesOn(answer);
  }
}
