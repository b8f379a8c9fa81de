import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { ROLES, type Role } from '../../../src/domain/panel-roles.js';
import { isWithoutEffect } from '../../../src/http/pages/panel/once.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { type Fields, sentFields } from '../../support/panel-fill.js';
import {
  actionOf,
  addressesOf,
  addressOf,
  nameOf,
  type PanelWorld,
  pagesOf,
  panelWorld,
  provedIn,
  type Sendable,
  secretsIn,
  sendablesOn,
  shownAfter,
} from '../../support/panel-walk.js';

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ config: { webhookAllowCidrs: ['127.0.0.0/8'] } });
});
test.after.always(() => http?.close());

/** Pages that show no record: what they are filled with is an example, or the text to begin with. */
const NO_RECORD = [
  '/a/:account/batches/new',
  '/a/:account/licenses/new',
  '/a/:account/notifications/templates/new',
];

/** First buttons of several that do something: what their forms are for. Enter in a field presses them. */
const FIRST_BUTTONS = [
  '/a/:account/shipments/new → /a/:account/shipments/new (Create)',
  '/a/:account/shipments/points → /a/:account/shipments/new (Create)',
  '/a/:account/shipments/points/offer → /a/:account/shipments/new (Create)',
  '/a/:account/imports/:draft → /a/:account/imports/:draft/rows (Save and check again)',
  '/a/:account/imports/:draft/rows/:row → /a/:account/imports/:draft/rows (Save and check again)',
  '/a/:account/notifications/templates/new → /a/:account/notifications/templates/new (Save)',
  '/a/:account/notifications/templates/:template → /a/:account/notifications/templates/:template (Save)',
];

async function textOf(world: PanelWorld, page: string): Promise<string> {
  const { status, text } = await world.ask(addressOf(world, page));
  if (status !== 200) throw new Error(`${page} is ${status}`);
  return text;
}

/** All forms of a page, in each state of its objects. */
async function opened(world: PanelWorld, page: string): Promise<Sendable[]> {
  const found: Sendable[] = [];
  for (const address of addressesOf(world, page)) {
    const { status, text } = await world.ask(address);
    if (status !== 200) throw new Error(`${address} is ${status}`);
    found.push(...sendablesOn(page, text, address));
  }
  return found;
}

/** Addresses on a page: browsers and proxies keep them. */
function addressesIn(text: string): string[] {
  const tags = text.matchAll(/\b(?:href|(?:form)?action|src|hx-[\w:-]+)="([^"]*)"/g);
  return [...tags].map(([, address = '']) => address);
}

/** The same form in a new world; null where it does not come up there. */
async function again(role: Role, found: Sendable) {
  const signsUp = [found.page, found.path].some((one) => one.startsWith('/profile/access'));
  const world = await panelWorld(http, role, undefined, signsUp);
  const same = await sameIn(world, found);
  return same === undefined ? null : { world, same, fields: filledIn(world, same) };
}

async function sameIn(world: PanelWorld, found: Sendable): Promise<Sendable | undefined> {
  const shown = found.from === undefined ? await opened(world, found.page) : await after(world, found.from);
  return shown.find((one) => nameOf(one) === nameOf(found));
}

/** Forms behind a form. */
async function after(world: PanelWorld, found: Sendable): Promise<Sendable[]> {
  const same = await sameIn(world, found);
  if (same === undefined) return [];
  return await shownAfter(world, same, await world.ask(actionOf(same), filledIn(world, same)));
}

function filledIn(world: PanelWorld, one: Sendable): Fields {
  return sentFields(one, world.params.uuid, provedIn(one, world));
}

/** Whether a hidden field or a button says what to do. */
function isChosen({ form, button }: Sendable, name: string): boolean {
  return form.html.includes(`type="hidden" name="${name}"`) || form.buttons[button]?.name === name;
}

async function changes(): Promise<number> {
  // A company that is made with a license has a second entry.
  const [row] = await http.db.select(
    "SELECT COUNT(*) AS found FROM audit_log WHERE actor_kind = 'panel' AND action <> 'companies.create' AND COALESCE(JSON_UNQUOTE(JSON_EXTRACT(values_after, '$.outcome')), '') NOT LIKE 'failed%'",
  );
  return Number(row?.found);
}

type Sent = NonNullable<Awaited<ReturnType<typeof again>>>;

function isFree({ same, fields }: Sent): boolean {
  return isWithoutEffect(same.path, new URLSearchParams(fields));
}

/** Sends a form that changes nothing. Returns the forms to which it leads. */
async function freely(t: ExecutionContext, { world, same, fields }: Sent): Promise<Sendable[] | null> {
  const before = await changes();
  const answer = await world.ask(actionOf(same), fields);
  t.true(answer.status < 500, `${nameOf(same)} is ${answer.status}`);
  if (answer.status >= 400) t.log(`${nameOf(same)} is ${answer.status}`);
  if (!/label|preview/.test(same.path)) t.is(await changes(), before, `${nameOf(same)} changes nothing`);
  return answer.status >= 400 ? null : await shownAfter(world, same, answer);
}

/** Sends a form in wrong ways, then twice at once and once more. Returns the forms to which it leads. */
async function onceOnly(t: ExecutionContext, sent: Sent): Promise<Sendable[] | null> {
  const { world, same, fields } = sent;
  const name = nameOf(same);
  const action = actionOf(same);
  const send = (form = fields, cookie?: string) => world.ask(action, form, cookie);
  await refusedWays(t, sent);
  const start = await changes();

  const answers = await Promise.all([send(), send()]);
  const effect = (await changes()) - start;
  const last = await send();

  // A changed sign-in ends the session with which the second click was sent.
  const kept = [...answers, last].filter(
    ({ status }) => !(status === 401 && same.path.startsWith('/profile/access')),
  );
  const [first = last] = kept;
  for (const one of kept) {
    t.is(one.status, first.status, `${name}: ${one.text}`);
    t.is(one.to, first.to, name);
    t.is(secretsIn(one.text), secretsIn(first.text), name);
  }
  t.true(first.status < 500, `${name} is ${first.status}`);
  if (first.status >= 400) {
    t.log(`${name} is ${first.status}`);
    return null;
  }
  t.true(effect <= 1, `${name} has ${effect} effects`);
  t.is((await changes()) - start, effect, `${name} sent once more`);
  return await shownAfter(world, same, first);
}

/** Without its key, without a session, and with nonsense for what it says to do, a form has no effect. */
async function refusedWays(t: ExecutionContext, { world, same, fields }: Sent): Promise<void> {
  const name = nameOf(same);
  const send = (form = fields, cookie?: string) => world.ask(actionOf(same), form, cookie);
  const before = await changes();

  const unnamed = await send([...fields.filter(([field]) => field !== 'key'), ['key', '']]);
  const ended = await send(fields, 'parcelworks=over');

  t.is(unnamed.status, 422, `${name} without key`);
  t.is(ended.status, 401, `${name} after the session's end`);
  for (const [field] of fields) t.true(ended.text.includes(`name="${field}"`), `${name} keeps ${field}`);
  t.is(await changes(), before, `${name} does nothing`);
  for (const field of ['action', 'do', 'active'].filter((one) => isChosen(same, one))) {
    const wrong = fields.filter(([is]) => is !== field && is !== 'key');
    const unknown = await send([...wrong, [field, 'nonsense'], ['key', randomUUID()]]);
    t.is(unknown.status, 422, `${name} with unknown ${field}`);
  }
}

for (const role of ROLES) {
  test.serial(`GET /panel: no address on a page of ${role} holds a license key`, async (t) => {
    const world = await panelWorld(http, role);
    for (const page of pagesOf(role)) {
      const addresses = addressesIn(await textOf(world, page));
      t.deepEqual(
        addresses.filter((one) => one.includes(world.license)),
        [],
        page,
      );
    }
  });

  test.serial(
    `GET /panel: every page of ${role} has forms that ask, with keys and what they showed`,
    async (t) => {
      const world = await panelWorld(http, role);
      const firsts = new Set<string>();
      for (const page of pagesOf(role)) {
        for (const one of await opened(world, page)) {
          const name = nameOf(one);
          t.regex(new URLSearchParams(one.form.fields).get('key') ?? '', /^[\w-]{36}$/, name);
          const tags = one.form.html.match(/<button\b[^>]*>/g) ?? [];
          if (tags.some((tag) => tag.includes('danger'))) t.true(one.form.isAsked, `${name} asks first`);
          // Enter in a field presses the first button.
          const fields = new URLSearchParams(sentFields(one, world.params.uuid));
          const isFirst = one.button === 0 && tags.length > 1;
          if (isFirst && !isWithoutEffect(one.path, fields)) firsts.add(name);
          const inputs = one.form.html.match(/<(?:input|textarea)\b[^>]*>/g) ?? [];
          const shows = inputs.some(
            (tag) => /type="(?:text|email|url|tel)"/.test(tag) && /value="[^"]/.test(tag),
          );
          if (shows && !NO_RECORD.includes(page)) {
            t.true(
              one.form.fields.some(([field]) => field === 'was'),
              `${name} says what it showed`,
            );
          }
        }
      }
      t.deepEqual(
        [...firsts].filter((name) => !FIRST_BUTTONS.includes(name)),
        [],
      );
    },
  );

  test.serial(
    `POST /panel: every form of ${role} has one effect, sent twice at once and once more`,
    async (t) => {
      const world = await panelWorld(http, role, undefined, true);
      const seen = new Set<string>();
      const found: Sendable[] = [];
      for (const page of pagesOf(role)) found.push(...(await opened(world, page)));
      let done = 0;
      for (const one of found) {
        if (seen.has(nameOf(one))) continue;
        seen.add(nameOf(one));
        // Here no run is there to take a decision.
        if (one.page === '/attention' && one.from?.path === '/attention') continue;
        const sent = await again(role, one);
        if (sent === null) {
          t.log(`${nameOf(one)} does not come up again`);
          continue;
        }
        // The page in answer to a form has forms too; the array grows while it is gone through.
        const led = await (isFree(sent) ? freely(t, sent) : onceOnly(t, sent));
        if (led === null) continue;
        done += 1;
        found.push(...led);
      }
      t.log(`${role}: ${seen.size} forms, ${done} carried out\n${[...seen].join('\n')}`);
      t.true(done > (role === 'staff' ? 18 : 30), `${done}`);
    },
  );
}
