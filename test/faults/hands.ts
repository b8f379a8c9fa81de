import { randomUUID } from 'node:crypto';
import { ROLES } from '../../src/domain/panel-roles.js';
import { isWithoutEffect } from '../../src/http/pages/panel/once.js';
import type { PanelAnswer } from '../support/panel.js';
import { type Fields, sentFields, typedIn, valueFor, withValues } from '../support/panel-fill.js';
import { nameOf, pagesOf, type Sendable, secretsIn, sendablesOn } from '../support/panel-walk.js';
import type { TestStack } from '../support/stack.js';
import { addressNow, objectNow, Person, type Tab } from './hands-world.js';
import { type Random, seededRandom } from './seeded-random.js';

/** The work of two people's hands at one account's panel. `isKeyed`: false sends each time as from a new page. */
export interface HandsOptions {
  seed: number;
  acts: number;
  isKeyed: boolean;
  /** Where webhooks are sent. */
  hook: string;
  /** Earlier work of the same hands. */
  began?: Seen;
}

/** The state to expect when all have let go. */
export interface Seen {
  people: Person[];
  /** E-mails of the users that they have been. */
  users: Set<string>;
  /** Orders of single parcels whose form led on. */
  orders: Set<string>;
  /** Secrets on the last page that came of a form, as a person sees it, with the form. */
  secrets: Map<string, string>;
  /** Batches and drafts to which forms have led. */
  made: Set<string>;
  /** The saved value of a field by the record and the field; each field is changed by one person alone. */
  values: Map<string, string>;
  /** How often each form was carried out and refused. */
  forms: Map<string, { done: number; refused: number; answer: string }>;
  /** Acts by kind. */
  acts: Map<string, number>;
  troubles: Map<string, number>;
  /** How often a page had no form: such pages are not opened for ever. */
  bare: Map<string, number>;
  sendings: number;
}

const ACTS_OF_USER = 40;
const MOST_TABS = 8;

/** Two people at once do what hands do: double clicks, Back, reloads, pages of this morning. */
export async function workHands(stack: TestStack, url: string, options: HandsOptions): Promise<Seen> {
  const seen = options.began ?? nothingSeen(stack, url);
  await Promise.all(
    seen.people.map(async (person, place) => {
      const random = seededRandom(options.seed + place);
      for (let act = 0; act < options.acts / seen.people.length; act += 1) {
        if (act % ACTS_OF_USER === 0) await begin(seen, person, random);
        await new Hands({ stack, options, person, seen, random }).act();
      }
    }),
  );
  return seen;
}

function nothingSeen(stack: TestStack, url: string): Seen {
  return {
    people: [new Person(stack, url, 0), new Person(stack, url, 1)],
    users: new Set(),
    orders: new Set(),
    secrets: new Map(),
    made: new Set(),
    values: new Map(),
    forms: new Map(),
    acts: new Map(),
    troubles: new Map(),
    bare: new Map(),
    sendings: 0,
  };
}

/** The first is always an administrator, who may do everything; the other has each role in turn. */
async function begin(seen: Seen, person: Person, random: Random): Promise<void> {
  await person.begin(person.place === 0 ? 'administrator' : random.pick(ROLES));
  seen.users.add(person.email);
}

interface Parts {
  stack: TestStack;
  options: HandsOptions;
  person: Person;
  seen: Seen;
  random: Random;
}

function count(map: Map<string, number>, name: string): void {
  map.set(name, (map.get(name) ?? 0) + 1);
}

class Hands {
  constructor(readonly parts: Parts) {}

  async act(): Promise<void> {
    const { person, random } = this.parts;
    const asked = person.asked.shift();
    const chance = random.below(10);
    if (asked !== undefined && chance < 7) await this.use(asked, 'a question answered');
    else if (chance === 0 && person.sent.length > 0) await this.goBack(random.pick(person.sent));
    else if (chance < 4 && person.tabs.length > 0) {
      const tab = random.pick(person.tabs);
      person.tabs = person.tabs.filter((one) => one !== tab);
      await this.use(tab, 'an old tab');
    } else await this.openOne();
  }

  /** Opens a page and uses one of its forms; another stays open in its tab. */
  async openOne(): Promise<void> {
    const { stack, random, person, seen } = this.parts;
    const pages = pagesOf(person.role).filter((one) => (seen.bare.get(one) ?? 0) < 6);
    const shared = pages.filter((one) => one.endsWith('/settings'));
    const page = random.pick(shared.length > 0 && random.below(4) === 0 ? shared : pages);
    const address = await addressNow(stack, random, page);
    if (address === null) return count(seen.acts, 'nothing there to open');
    const { status, text, to } = await person.ask(address);
    if (status === 401 || (status === 303 && to?.startsWith('/panel/sign-in') === true)) {
      return await begin(seen, person, random);
    }
    if (status >= 500) this.trouble(`GET ${page} is ${status}`);
    const forms = status === 200 ? sendablesOn(page, text, address) : [];
    for (const { form } of forms) this.checkShown(form.action, form.fields);
    if (forms.length === 0) {
      if (status === 200) count(seen.bare, page);
      return count(seen.acts, status === 200 ? 'a page without a form' : `a page that is ${status}`);
    }
    seen.bare.set(page, Number.NEGATIVE_INFINITY);
    const [one, other] = [random.pick(forms), random.pick(forms)];
    const isLeftOpen = shared.includes(page) && random.below(2) === 0;
    if (other !== one || isLeftOpen) person.tabs = [...person.tabs, { one: other }].slice(-MOST_TABS);
    // Until it is used, the other person changes the same record.
    if (isLeftOpen) return count(seen.acts, 'a page left open');
    await this.use({ one }, 'a page just opened');
  }

  /** Fills a form in and sends it, as hands do: once, by a double click, and again after the answer. */
  async use(tab: Tab, kind: string): Promise<void> {
    const { random, person, seen, stack } = this.parts;
    const { one } = tab;
    // A label takes Chromium seconds.
    if (/label|print/.test(one.path + nameOf(one)) && random.below(4) > 0)
      return count(seen.acts, 'left alone');
    const ticked = (await objectNow(stack, random, 'uuid')) ?? '';
    const own = this.ownValue(one);
    const given = { ...this.hookIn(one), ...this.choices(one), ...person.proofs(one), ...own };
    const fields = sentFields(one, ticked, given);
    count(seen.acts, kind);
    const before = await this.effects();
    const answers = await this.send(one, fields);
    const done = this.judge(one, answers, (await this.effects()) - before);
    if (done === undefined) {
      if (kind === 'a page just opened' && answers.some(({ text }) => text.includes('Changed meanwhile'))) {
        this.trouble(`${nameOf(one)}: a page just opened is called an older one`);
      }
      return;
    }
    person.learn(one, fields, done);
    // A preview saves nothing.
    this.note(one, fields, one.path.endsWith('/preview') ? {} : own, done);
    person.sent = [...person.sent, { one, sent: { fields, first: done } }].slice(-MOST_TABS);
    const questions = done.status === 200 ? sendablesOn(one.path, done.text, one.form.action) : [];
    person.asked = questions
      .filter(({ form }) => /name="answer"|danger|name="seen"/.test(form.html))
      .map((next) => ({ one: next }));
    if (one.path === '/a/:account/settings/state') await this.putRight(one);
  }

  /** Back to a form that was sent: the same again, or with something else in it. */
  async goBack({ one, sent }: Tab): Promise<void> {
    const { random, seen } = this.parts;
    if (sent === undefined || isWithoutEffect(one.path, new URLSearchParams(sent.fields))) return;
    if (!this.parts.options.isKeyed) return;
    const [typed] = typedIn(one.form.html);
    const isOther = typed !== undefined && random.below(2) === 0;
    const fields = isOther ? withValues(sent.fields, { [typed.name]: randomUUID() }) : sent.fields;
    count(seen.acts, isOther ? 'Back, and something else' : 'Back, and the same');
    const before = await this.effects();
    const [again] = await this.send(one, fields, 1);
    const effects = (await this.effects()) - before;
    if (again === undefined || again.status === 401) return;
    if (effects > 0) this.trouble(`${nameOf(one)}: Back has an effect`);
    if (isOther && again.status !== 409)
      this.trouble(`${nameOf(one)}: Back with other fields is ${again.status}`);
    if (!isOther && !isAlike(again, sent.first)) this.trouble(`${nameOf(one)}: Back is answered otherwise`);
  }

  async send({ form, button }: Sendable, fields: Fields, most = 3): Promise<PanelAnswer[]> {
    const { random, options, seen, person } = this.parts;
    const action = form.buttons[button]?.action ?? form.action;
    const one = () => {
      seen.sendings += 1;
      return person.ask(action, options.isKeyed ? fields : withValues(fields, { key: randomUUID() }));
    };
    const clicks = Math.min(most, random.pick([1, 2, 2, 3]));
    count(seen.acts, `${clicks} at once`);
    const answers = await Promise.all(Array.from({ length: clicks }, one));
    if (most > 1 && random.below(3) === 0) {
      count(seen.acts, 'sent again after the answer');
      answers.push(await one());
    }
    return answers;
  }

  /** Changes that the person's present user has made, as the audit knows them. */
  async effects(): Promise<number> {
    const { stack, person } = this.parts;
    const sql = `SELECT COUNT(*) AS found FROM audit_log WHERE actor_name = ? AND ${IS_EFFECT}`;
    const [row] = await stack.db.select(sql, [person.email]);
    return Number(row?.found);
  }

  /** The answer that counts, where the form was carried out. */
  judge(one: Sendable, answers: readonly PanelAnswer[], effects: number): PanelAnswer | undefined {
    const { seen } = this.parts;
    const name = nameOf(one);
    const done = answers.filter(({ status }) => status < 400);
    const [first] = done;
    const last = answers.at(-1);
    const failed = answers.find(({ status }) => status >= 500 || status === 429);
    const outcome = seen.forms.get(name) ?? { done: 0, refused: 0, answer: '' };
    if (first === undefined) outcome.refused += 1;
    else outcome.done += 1;
    if (first === undefined && last !== undefined) outcome.answer = `${last.status} ${refusalIn(last.text)}`;
    seen.forms.set(name, outcome);
    if (failed !== undefined) this.trouble(`${name} is ${failed.status} ${refusalIn(failed.text)}`);
    if (effects > 1) this.trouble(`${name} has ${effects} effects`);
    if (effects > 0 && first === undefined) this.trouble(`${name} has an effect and is ${last?.status}`);
    if (first === undefined) return undefined;
    const isFree = isWithoutEffect(one.path, new URLSearchParams(one.form.fields));
    if (!isFree && done.some((other) => !isAlike(other, first))) {
      this.trouble(`${name} is answered in several ways`);
    }
    const shown = secretsIn(done.at(-1)?.text ?? '');
    // The address where a carrier reports is shown whenever it is asked for.
    if (shown !== '' && !one.path.includes('/webhook-url')) seen.secrets.set(shown, name);
    return first;
  }

  /** Remembers what must be there at the end. */
  note(one: Sendable, fields: Fields, own: Record<string, string>, { to }: PanelAnswer): void {
    const { seen } = this.parts;
    const sent = new URLSearchParams(fields);
    if (one.path === '/a/:account/shipments/new') seen.orders.add(sent.get('order') ?? '');
    const made = /\/(batches|imports)\/([0-9a-f-]{36})/.exec(to ?? '');
    if (made !== null) seen.made.add(`${made[1]} ${made[2]}`);
    for (const [field, value] of Object.entries(own))
      seen.values.set(recordOf(one.form.action, field), value);
  }

  /** In a form that changes a record, one of the fields that nobody else changes. */
  ownValue({ form }: Sendable): Record<string, string> {
    const { person, random } = this.parts;
    if (!form.fields.some(([name]) => name === 'was')) return {};
    const all = typedIn(form.html).filter(({ name }) => !name.includes('.'));
    const own = all.filter(({ name }) => placeOf(name) === person.place);
    if (own.length === 0) return {};
    const { name, kind } = random.pick(own);
    return { [name]: valueFor({ name, kind }, random.below(1_000_000_000)) };
  }

  /** Where new webhooks are sent. That of one there is belongs to one of the two people, as other fields do. */
  hookIn({ form }: Sendable): Record<string, string> {
    return form.fields.some(([name]) => name === 'was') ? {} : { url: this.parts.options.hook };
  }

  /** A choice of the lists that have no usual one. */
  choices({ path, form }: Sendable): Record<string, string> {
    const { random } = this.parts;
    if (path !== '/a/:account/notifications/templates/new') return {};
    const options = (name: string) => {
      const list = new RegExp(`name="${name}"[^>]*>([\\s\\S]*?)</select>`).exec(form.html)?.[1] ?? '';
      return [...list.matchAll(/value="([^"]*)"/g)].map(([, value = '']) => value);
    };
    return { event: random.pick(options('event')), locale: random.pick(options('locale')) };
  }

  /** Whether a page shows what its fields were saved as last. */
  checkShown(action: string, fields: Fields): void {
    const { seen, person } = this.parts;
    if (!fields.some(([name]) => name === 'was')) return;
    for (const [name, value] of fields) {
      if (placeOf(name) !== person.place) continue;
      const saved = seen.values.get(recordOf(action, name));
      if (saved !== undefined && saved !== value) {
        this.trouble(`${name} of ${action.replaceAll(/\d+/g, '…')} is undone: ${value}, saved was ${saved}`);
        seen.values.set(recordOf(action, name), value);
      }
    }
  }

  /** Opens again what was closed, so that the work goes on. */
  async putRight({ page }: Sendable): Promise<void> {
    const { stack, random, person } = this.parts;
    const address = (await addressNow(stack, random, page)) ?? '';
    const { text } = await person.ask(address);
    const closed = sendablesOn(page, text, address).find(({ form }) =>
      /value="(open|enableAccount)"/.test(form.html),
    );
    if (closed === undefined) return;
    const before = await this.effects();
    const answers = await this.send(closed, sentFields(closed));
    this.judge(closed, answers, (await this.effects()) - before);
  }

  trouble(text: string): void {
    count(this.parts.seen.troubles, text);
  }
}

/** A company that is made with a license has a second entry; a wrong code and a refused act are no change. */
export const IS_EFFECT = `action NOT IN ('companies.create', 'panel-users.wrong-code')
  AND COALESCE(JSON_UNQUOTE(JSON_EXTRACT(values_after, '$.outcome')), '') NOT LIKE 'failed%'`;

function refusalIn(text: string): string {
  return (/class="error"[^>]*>([^<]*)/.exec(text)?.[1] ?? '').slice(0, 120);
}

function isAlike(one: PanelAnswer, other: PanelAnswer): boolean {
  return one.status === other.status && one.to === other.to && secretsIn(one.text) === secretsIn(other.text);
}

/** Which of the two people changes a field. */
function placeOf(field: string): number {
  return [...field].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 2;
}

function recordOf(action: string, field: string): string {
  return `${action.split('?')[0]} ${field}`;
}
