import { randomUUID } from 'node:crypto';
import { isOfAccount, may, type Role } from '../../src/domain/panel-roles.js';
import { SCREENS } from '../../src/http/pages/panel/screens.js';
import { createCompany } from '../../src/services/admin/companies.js';
import { createStoreSite } from '../../src/services/admin/store-sites.js';
import { issueUserToken } from '../../src/services/admin/tokens.js';
import { createUser } from '../../src/services/admin/users.js';
import { keepAddress, keepPreset } from '../../src/services/kept/kept.js';
import { TEST_ACTOR } from './actor.js';
import { insertCarrierLicense } from './carrier-licenses.js';
import { insertTestCredentials } from './factories.js';
import type { HttpAccount, HttpLicense, HttpStack } from './http.js';
import { importDraft } from './import-drafts.js';
import { askPanel, codeOf, cookieOf, invite, PASSWORD, type PanelAnswer, signUp } from './panel.js';
import { formsIn, type ServedForm } from './panel-forms.js';
import { PATH_OBJECTS } from './path-objects.js';

/** Secrets and codes that a page shows and no other does. */
export function secretsIn(text: string): string {
  return (text.match(/class="secret">.*?<\/p>|class="code">[a-z2-9]{5}-[a-z2-9]{5}</g) ?? []).join('');
}

/** Objects of a new account, by the parameters of screens; and a user of a role who looks at them. */
export interface PanelWorld {
  params: Record<string, string>;
  license: string;
  /** Of the user, at first. */
  cookie: string;
  /** More objects of a kind, in another state: their pages have other forms. */
  others: Record<string, string>;
  /** The user's secrets by field, where it has signed up. */
  proofs: Record<string, string>;
  /** As a browser does, which keeps the newest session. */
  ask(path: string, form?: [string, string][], cookie?: string): Promise<PanelAnswer>;
}

/**
 * A new account, or the one of a license, with one object of each kind. `signsUp`: whether the user has a password and
 * a second factor, which take long.
 */
export async function panelWorld(
  http: HttpStack,
  role: Role,
  of?: { account: HttpAccount; license: HttpLicense },
  signsUp = false,
): Promise<PanelWorld> {
  const account = of?.account ?? (await http.account());
  const app = { ...http.app, actor: TEST_ACTOR };
  const baseUrl = 'http://127.0.0.1:9';
  const license =
    of?.license ?? (await insertCarrierLicense(http, { accountId: account.id, provider: 'run', baseUrl }));
  const site = await createStoreSite(app, {
    account: account.id,
    platform: 'woocommerce',
    domain: `${randomUUID()}.example`,
  });
  const person = { name: 'Noa', email: `${randomUUID()}@shop.example` };
  const user = await createUser(app, { ...person, account: account.id });
  const member = await invite(http, 'staff', account.id);
  const operator = await invite(http, 'operator');
  const company = await createCompany(app, { carrier: 'run', name: randomUUID() });
  await issueUserToken(app, { user: String(user.id), name: 'till' });
  const made = async (kind: string) => (await PATH_OBJECTS[kind]?.(http, account, license)) ?? {};
  const [webhook, shipment, batch, template] = [
    await made('webhooks'),
    await made('shipments'),
    await made('batches'),
    await made('notifications'),
  ];
  const draft = await importDraft(http, account.id, license.id);
  await keepAddress(http, account.id, { contact_name: 'Dana Levi', contact_phone: '0501234567' });
  const preset = { name: 'Two boxes', licenseId: license.id, serviceType: 1, packages: 2, note: '' } as const;
  await keepPreset(http, account.id, preset);
  const others = await otherObjects(http, account, license);
  const home = isOfAccount(role) ? account.id : undefined;
  const self = signsUp ? await signUp(http, role, home) : null;
  let cookie = self?.accepted.cookie ?? (await cookieOf(http, role, home));
  return {
    others,
    proofs: proofsOf(self?.codes[0]),
    params: {
      account: String(account.id),
      license: String(license.id),
      site: String(site.id),
      user: String(user.id),
      member: String(member.id),
      id: String(operator.id),
      company: String(company.id),
      credential: account.headers['x-client-id'] ?? '',
      uuid: shipment.uuid ?? '',
      batch: batch.uuid ?? '',
      webhook: webhook.id ?? '',
      delivery: webhook.delivery ?? '',
      template: template.id ?? '',
      ...draft,
    },
    license: license.key,
    cookie,
    async ask(path, form, as = cookie) {
      const sent = form === undefined ? {} : { form };
      const answer = await askPanel(http.url + path, { ...sent, headers: { cookie: as } });
      if (/^(__Host-)?parcelworks=./.test(answer.cookie)) cookie = answer.cookie;
      return answer;
    },
  };
}

/** Objects of the same kinds in another state. */
async function otherObjects(
  http: HttpStack,
  account: HttpAccount,
  license: HttpLicense,
): Promise<Record<string, string>> {
  await insertTestCredentials(http.db, account.id, http.config.appKeys);
  const own = await insertCarrierLicense(http, {
    accountId: account.id,
    provider: 'independent',
    baseUrl: '',
  });
  const waiting = { state: 'reserved', status_code: 'needs_attention', tracking_code: null };
  await http.shipment(account.id, license, { columns: waiting });
  const [parcel, ended] = [
    await http.shipment(account.id, own),
    (await PATH_OBJECTS.batches?.(http, account, license)) ?? {},
  ];
  await http.db.run(
    "UPDATE batch_items i JOIN batches b ON b.id = i.batch_id SET i.status = 'failed' WHERE b.uuid = ?",
    [ended.uuid ?? ''],
  );
  const { uuid: booked } = await http.shipment(account.id, license);
  await http.db.run(
    `INSERT INTO batch_items (batch_id, position, status, shipment_uuid, payload, fingerprint)
     SELECT id, 1, 'created', ?, '{}', '' FROM batches WHERE uuid = ?`,
    [booked, ended.uuid ?? ''],
  );
  await http.db.run(
    'UPDATE batches SET pending_count = 0, failed_count = 1, created_count = 1, total = 2 WHERE uuid = ?',
    [ended.uuid ?? ''],
  );
  return { uuid: parcel.uuid, batch: ended.uuid ?? '' };
}

function proofsOf(code: string | undefined): Record<string, string> {
  return code === undefined ? {} : { password: `${PASSWORD} again`, present: code };
}

/** Values for a form that asks for the present password or code, besides {@link PanelWorld.proofs}. */
export function provedIn({ path, form }: Sendable, { proofs }: PanelWorld): Record<string, string> {
  const secret = new URLSearchParams(form.fields).get('secret');
  if (secret !== null) return { ...proofs, code: codeOf(secret), current: proofs.present ?? '' };
  return path.startsWith('/profile/access') ? { ...proofs, current: PASSWORD } : {};
}

/** Queries that pages need beside the license. */
const QUERIES: Record<string, string> = {
  '/a/:account/licenses/new': '&carrier=independent',
  '/a/:account/notifications/preview': '&event=shipment.created',
};

/** The pages that a role may open, as paths of screens. */
export function pagesOf(role: Role): string[] {
  const shown = SCREENS.filter(({ method, right }) => method === 'get' && may(role, right));
  return shown.map(({ path }) => path).filter((path) => !path.endsWith('.csv') && path !== '/');
}

/**
 * A page's address in a world. `license`: the id of the one that it is about.
 * @throws Error for a parameter of which the world has no object: add it above
 */
export function addressOf(
  { params }: Pick<PanelWorld, 'params'>,
  path: string,
  license = params.license,
): string {
  const query = path.startsWith('/a/') ? `?license=${license}${QUERIES[path] ?? ''}` : '';
  const filled = (path + query).replaceAll(/:(\w+)/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`no object for :${name} of ${path}; see panelWorld`);
    return value;
  });
  return `/panel${filled}`;
}

/** A page's addresses, one for each state of its objects. */
export function addressesOf(world: PanelWorld, path: string): string[] {
  const others = Object.entries(world.others).filter(([name]) => path.includes(`:${name}`));
  const states = others.map(([name, value]) => ({ params: { ...world.params, [name]: value } }));
  return [world, ...states].map((one) => addressOf(one, path, world.params.license));
}

/** A form of a page and one of its buttons: what a person can send there. */
export interface Sendable {
  /** The form whose answer shows this one; missing for one of a page that can be opened. */
  from?: Sendable;
  page: string;
  /** Of the screen that takes it. */
  path: string;
  form: ServedForm;
  /** Of its buttons. */
  button: number;
}

/** Everything that can be sent from a page; the frame's sign-out is not the page's. */
export function sendablesOn(page: string, text: string, address: string): Sendable[] {
  return formsIn(text, address)
    .filter(({ action }) => action !== '/panel/sign-out')
    .flatMap((form) =>
      form.buttons
        .map((one, button) => ({ one, button }))
        .filter(({ one }) => one.method === 'post')
        .map(({ one, button }) => ({ page, path: takenBy(one.action), form, button })),
    );
}

/** @throws Error where no screen takes a form */
function takenBy(action: string): string {
  const path = screenOf(action, 'post');
  if (path === undefined) throw new Error(`no screen takes ${action}`);
  return path;
}

/** Forms behind a form's answer: the forms of the page that it is, or to which it redirects. */
export async function shownAfter(
  world: PanelWorld,
  one: Sendable,
  { status, text, to }: PanelAnswer,
): Promise<Sendable[]> {
  if (status === 200) {
    return sendablesOn(one.path, text, one.form.action).map((next) => ({ ...next, from: one }));
  }
  const page = to?.startsWith('/panel/') ? screenOf(to, 'get') : undefined;
  if (to == null || page === undefined) return [];
  const next = await world.ask(to);
  return next.status === 200 ? sendablesOn(page, next.text, to).map((form) => ({ ...form, from: one })) : [];
}

/** A form by its page, where it is sent, and its button, without numbers. */
export function nameOf({ page, path, form, button }: Sendable): string {
  return `${page} → ${path} (${(form.buttons[button]?.text ?? '').replaceAll(/\d+/g, 'n')})`;
}

export function actionOf({ form, button }: Sendable): string {
  return form.buttons[button]?.action ?? form.action;
}

/** The path of the screen that takes a form, or shows a page; undefined where none does. */
function screenOf(action: string, wanted: 'get' | 'post'): string | undefined {
  const { pathname } = new URL(action, 'http://panel');
  const parts = pathname.replace(/^\/panel/, '').split('/');
  const taking = SCREENS.filter(({ method }) => method === wanted).find(({ path }) => {
    const named = path.split('/');
    const isEqual = (part: string, index: number) => part.startsWith(':') || part === parts[index];
    return named.length === parts.length && named.every(isEqual);
  });
  return taking?.path;
}
