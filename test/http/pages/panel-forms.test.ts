import { randomUUID } from 'node:crypto';
import test from 'ava';
import { ROLES } from '../../../src/domain/panel-roles.js';
import { isWithoutEffect } from '../../../src/http/pages/panel/once.js';
import { type HttpStack, startHttp } from '../../support/http.js';
import { sentFields } from '../../support/panel-fill.js';
import {
  addressOf,
  type PanelWorld,
  pagesOf,
  panelWorld,
  type Sendable,
  secretsIn,
  sendablesOn,
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

async function textOf(world: PanelWorld, page: string): Promise<string> {
  const { status, text } = await world.ask(addressOf(world, page));
  if (status !== 200) throw new Error(`${page} is ${status}`);
  return text;
}

async function opened(world: PanelWorld, page: string): Promise<Sendable[]> {
  return sendablesOn(page, await textOf(world, page), addressOf(world, page));
}

/** Addresses on a page: browsers and proxies keep them. */
function addressesIn(text: string): string[] {
  const tags = text.matchAll(/\b(?:href|(?:form)?action|src|hx-[\w:-]+)="([^"]*)"/g);
  return [...tags].map(([, address = '']) => address);
}

function actionOf({ form, button }: Sendable): string {
  return form.buttons[button]?.action ?? form.action;
}

function nameOf({ page, path, form, button }: Sendable): string {
  return `${page} → ${path} (${form.buttons[button]?.text})`;
}

/** The same form on a page of a new world. */
async function again(role: (typeof ROLES)[number], { page, path, button, form }: Sendable) {
  const world = await panelWorld(http, role);
  const same = (await opened(world, page)).find(
    (one) => one.path === path && one.form.buttons[one.button]?.text === form.buttons[button]?.text,
  );
  return same === undefined ? null : { world, same, fields: sentFields(same, world.params.uuid) };
}

/** Whether a hidden field or a button says what to do. */
function isChosen({ form, button }: Sendable, name: string): boolean {
  return form.html.includes(`type="hidden" name="${name}"`) || form.buttons[button]?.name === name;
}

async function changes(): Promise<number> {
  // A company that is made with a license has a second entry.
  const [row] = await http.db.select(
    "SELECT COUNT(*) AS found FROM audit_log WHERE actor_kind = 'panel' AND action <> 'companies.create'",
  );
  return Number(row?.found);
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
      for (const page of pagesOf(role)) {
        for (const one of await opened(world, page)) {
          const name = nameOf(one);
          t.regex(new URLSearchParams(one.form.fields).get('key') ?? '', /^[\w-]{36}$/, name);
          const tags = one.form.html.match(/<button\b[^>]*>/g) ?? [];
          if (tags.some((tag) => tag.includes('danger'))) t.true(one.form.isAsked, `${name} asks first`);
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
    },
  );

  test.serial(
    `POST /panel: every form of ${role} has one effect, sent twice at once and once more`,
    async (t) => {
      const world = await panelWorld(http, role);
      const seen = new Set<string>();
      let done = 0;
      for (const page of pagesOf(role)) {
        for (const found of await opened(world, page)) {
          const name = nameOf(found);
          if (seen.has(name)) continue;
          seen.add(name);
          const sent = await again(role, found);
          if (sent === null) continue;
          const { fields } = sent;
          const action = actionOf(sent.same);
          if (isWithoutEffect(found.path, new URLSearchParams(fields))) continue;
          const send = (form = fields, cookie?: string) => sent.world.ask(action, form, cookie);
          const before = await changes();

          const unnamed = await send([...fields.filter(([field]) => field !== 'key'), ['key', '']]);
          const ended = await send(fields, 'parcelworks=over');

          t.is(unnamed.status, 422, `${name} without key`);
          t.is(ended.status, 401, `${name} after the session's end`);
          for (const [field] of fields)
            t.true(ended.text.includes(`name="${field}"`), `${name} keeps ${field}`);
          t.is(await changes(), before, `${name} does nothing`);
          for (const field of ['action', 'do', 'active'].filter((one) => isChosen(sent.same, one))) {
            const wrong = fields.filter(([is]) => is !== field && is !== 'key');
            const unknown = await send([...wrong, [field, 'nonsense'], ['key', randomUUID()]]);
            t.is(unknown.status, 422, `${name} with unknown ${field}`);
          }
          const start = await changes();

          const answers = await Promise.all([send(), send()]);
          const effect = (await changes()) - start;
          const last = await send();

          const [first] = answers;
          for (const one of [...answers, last]) {
            t.is(one.status, first.status, `${name}: ${one.text}`);
            t.is(one.to, first.to, name);
            t.is(secretsIn(one.text), secretsIn(first.text), name);
          }
          t.true(first.status < 500, `${name} is ${first.status}`);
          if (first.status >= 400) t.log(`${name} is ${first.status}`);
          else {
            done += 1;
            t.true(effect <= 1, `${name} has ${effect} effects`);
            t.is((await changes()) - start, effect, `${name} sent once more`);
          }
        }
      }
      t.log(`${role}: ${seen.size} forms, ${done} carried out\n${[...seen].join('\n')}`);
      t.true(done > (role === 'staff' ? 3 : 8), `${done}`);
    },
  );
}
