import { randomUUID } from 'node:crypto';
import { may, type Role } from '../../src/domain/panel-roles.js';
import { SCREENS } from '../../src/http/pages/panel/screens.js';
import { createCompany } from '../../src/services/admin/companies.js';
import { createStoreSite } from '../../src/services/admin/store-sites.js';
import { issueUserToken } from '../../src/services/admin/tokens.js';
import { createUser } from '../../src/services/admin/users.js';
import { keepAddress, keepPreset } from '../../src/services/kept/kept.js';
import { TEST_ACTOR } from './actor.js';
import { insertCarrierLicense } from './carrier-licenses.js';
import type { HttpAccount, HttpLicense, HttpStack } from './http.js';
import { importDraft } from './import-drafts.js';
import { askPanel, cookieOf, invite, type PanelAnswer } from './panel.js';
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
  /** Of the user. */
  cookie: string;
  ask(path: string, form?: [string, string][], cookie?: string): Promise<PanelAnswer>;
}

/** A new account, or the one of a license, with one object of each kind. */
export async function panelWorld(
  http: HttpStack,
  role: Role,
  of?: { account: HttpAccount; license: HttpLicense },
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
  const cookie = await cookieOf(http, role, role === 'owner' || role === 'staff' ? account.id : undefined);
  return {
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
    ask: (path, form, as = cookie) =>
      askPanel(http.url + path, { ...(form === undefined ? {} : { form }), headers: { cookie: as } }),
  };
}

/** What the query of a page must hold beside the license. */
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

/** A form of a page and one of its buttons: what a person can send there. */
export interface Sendable {
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
        .map(({ one, button }) => ({ page, path: screenOf(one.action), form, button })),
    );
}

/** The path of the screen that takes a form. @throws Error where none does */
function screenOf(action: string): string {
  const { pathname } = new URL(action, 'http://panel');
  const parts = pathname.replace(/^\/panel/, '').split('/');
  const taking = SCREENS.filter(({ method }) => method === 'post').find(({ path }) => {
    const named = path.split('/');
    const isEqual = (part: string, index: number) => part.startsWith(':') || part === parts[index];
    return named.length === parts.length && named.every(isEqual);
  });
  if (taking === undefined) throw new Error(`no screen takes ${action}`);
  return taking.path;
}
