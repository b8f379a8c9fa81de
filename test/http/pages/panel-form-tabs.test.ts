import test, { type ExecutionContext } from 'ava';
import { type HttpStack, startHttp } from '../../support/http.js';
import { type Fields, sentFields, typedIn, valueFor, withValues } from '../../support/panel-fill.js';
import {
  actionOf,
  addressOf,
  nameOf,
  type PanelWorld,
  pagesOf,
  panelWorld,
  type Sendable,
  sendablesOn,
} from '../../support/panel-walk.js';

let http: HttpStack;
test.before(async () => {
  http = await startHttp({ config: { webhookAllowCidrs: ['127.0.0.0/8'] } });
});
test.after.always(() => http?.close());

/** Taken together with keys, which no page shows. */
const ONLY_WITH_KEYS = ['storeUrl'];
/** An order that is mended leaves its page. */
const GONE_ONCE_SAVED = ['/a/:account/imports/:draft'];

/** The forms of a page that change a record. */
async function editing(world: PanelWorld, page: string): Promise<Sendable[]> {
  const address = addressOf(world, page);
  const { text } = await world.ask(address);
  const forms = sendablesOn(page, text, address);
  return forms.filter(({ form, button }) => button === 0 && form.fields.some(([name]) => name === 'was'));
}

/** Whether a form refuses what was changed in two tabs: cells of an order are the newest. */
const refusesBoth = ({ path }: Sendable) => path !== '/a/:account/imports/:draft/rows';

async function inThreeTabs(t: ExecutionContext, { page, path }: Sendable): Promise<void> {
  const world = await panelWorld(http, 'administrator');
  const tab = async () => (await editing(world, page)).find((one) => one.path === path);
  const [first, second, third] = [await tab(), await tab(), await tab()];
  if (first === undefined || second === undefined || third === undefined) throw new Error(`${page} is gone`);
  const name = nameOf(first);
  const [one, other] = typedIn(first.form.html).filter(({ name: field }) => !ONLY_WITH_KEYS.includes(field));
  if (one === undefined) throw new Error(`${name} has nothing to type into`);
  const send = (form: Sendable, values: Record<string, string>) =>
    world.ask(actionOf(form), withValues(sentFields(form) as Fields, values));
  const mine = { [one.name]: valueFor(one, 1_234_567) };
  const theirs = other === undefined ? {} : { [other.name]: valueFor(other, 7_654_321) };

  const saved = await send(first, mine);
  const later = await send(second, theirs);
  const both = await send(third, { [one.name]: valueFor(one, 5_555_555) });

  t.is(saved.status, 303, `${name}: ${saved.text}`);
  t.is(later.status, 303, `${name}, from an older page: ${later.text}`);
  if (refusesBoth(first)) {
    t.is(both.status, 422, name);
    t.regex(both.text, /Changed meanwhile to/, name);
  }
  const now = new URLSearchParams((await tab())?.form.fields);
  const kept = refusesBoth(first) ? { ...mine, ...theirs } : theirs;
  for (const [field, value] of Object.entries(kept)) t.is(now.get(field), value, `${name}: ${field}`);
}

test('POST /panel: an older page of every form that edits changes only what was changed there', async (t) => {
  const world = await panelWorld(http, 'administrator');
  const seen: string[] = [];
  for (const page of pagesOf('administrator')) {
    if (GONE_ONCE_SAVED.includes(page)) continue;
    for (const one of await editing(world, page)) {
      seen.push(nameOf(one));
      await inThreeTabs(t, one);
    }
  }
  t.log(seen.join('\n'));
  t.true(seen.length > 8, `${seen.length}`);
});
