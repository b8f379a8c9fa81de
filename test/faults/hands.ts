import { randomUUID } from 'node:crypto';
import { ApiClient } from '../support/api-client.js';
import { askPanel, cookieOf, type PanelAnswer } from '../support/panel.js';
import { formsIn, type ServedForm } from '../support/panel-forms.js';
import type { TestStack } from '../support/stack.js';
import { type Random, seededRandom } from './seeded-random.js';

/** What the hands of two people at one account's panel do. `isKeyed`: false sends each time as from a new page. */
export interface HandsOptions {
  seed: number;
  acts: number;
  isKeyed: boolean;
  /** What the same hands have done before. */
  began?: Seen;
}

type Fields = [string, string][];

const ACTS_OF_USER = 50;

/** A person at the panel, whose fields of the settings nobody else changes. */
interface Person {
  cookie: string;
  owns: string;
  value: string;
  /** Pages opened earlier and still open, with what the person sees in them. */
  tabs: ServedForm[];
}

/** What should be there when all have let go. */
interface Seen {
  /** Path of the webhook below the account. */
  webhook: string;
  orders: Set<string>;
  secrets: Set<string>;
  people: Person[];
  troubles: string[];
  sendings: number;
}

/** Two people at once do what hands do: double clicks, Back, reloads, pages of this morning. Returns what is wrong. */
export async function workHands(stack: TestStack, url: string, options: HandsOptions): Promise<Seen> {
  const seen = options.began ?? (await nothingSeen(stack, url));
  const { people } = seen;
  await Promise.all(
    people.map(async (person, index) => {
      const random = seededRandom(options.seed + index);
      for (let act = 0; act < options.acts / people.length; act += 1) {
        // Requests of one user are limited.
        if (act % ACTS_OF_USER === 0) person.cookie = await cookieOf(stack, 'administrator');
        await new Hands(stack, url, options, person, seen, random).act();
      }
    }),
  );
  return seen;
}

async function nothingSeen(stack: TestStack, url: string): Promise<Seen> {
  const people = ['supportPhone', 'companyName'].map((owns) => ({ cookie: '', owns, value: '', tabs: [] }));
  const webhook = `/webhooks/${await webhookOf(stack, url)}?license=${stack.account.licenseKeys.run}`;
  return { webhook, orders: new Set(), secrets: new Set(), people, troubles: [], sendings: 0 };
}

async function webhookOf(stack: TestStack, url: string): Promise<string> {
  const license_key = stack.account.licenseKeys.run ?? '';
  const json = { license_key, url: 'http://127.0.0.1:8999/', events: ['shipment.cancelled'] };
  const { body } = await new ApiClient(url, stack.account).post('/webhooks', json);
  return String(body.data.id);
}

class Hands {
  constructor(
    readonly stack: TestStack,
    readonly url: string,
    readonly options: HandsOptions,
    readonly person: Person,
    readonly seen: Seen,
    readonly random: Random,
  ) {}

  async act(): Promise<void> {
    await this.random.pick([
      () => this.ship(),
      () => this.makeSecret(),
      () => this.changeSettings(),
      () => this.changeSettings(),
    ])();
  }

  async ship(): Promise<void> {
    const order = randomUUID();
    const form = await this.open('/shipments/new', /^Create$/);
    const parcel = {
      license_key: this.stack.account.licenseKeys.run ?? '',
      contact_name: 'Dana Levi',
      contact_phone: '0501234567',
      street: 'Herzl',
      number: '5',
      city: 'Haifa',
      order,
    };
    const answers = await this.send(form, withValues(form.fields, parcel));
    if (this.expect(answers, 303, 'shipment')) this.seen.orders.add(order);
  }

  /** A webhook's new secret, which no other page shows. */
  async makeSecret(): Promise<void> {
    const form = await this.open(this.seen.webhook, /^New secret$/);
    const answers = await this.send(form, form.fields);
    this.expect(answers, 200, 'secret');
    for (const { text } of answers)
      for (const [secret] of text.matchAll(/whsec_\w+/g)) this.seen.secrets.add(secret);
    const shown = new Set(answers.map(({ text }) => /whsec_\w+/.exec(text)?.[0]));
    if (shown.size !== 1) this.seen.troubles.push(`one form has shown ${shown.size} secrets`);
  }

  /** From a page opened now, or from one that has been open for long. */
  async changeSettings(): Promise<void> {
    const { person, random } = this;
    const opened = await this.open('/settings', /^Save$/);
    person.tabs.push(opened);
    const form = random.below(2) === 0 ? opened : random.pick(person.tabs);
    person.tabs = person.tabs.filter((one) => one !== form).slice(-5);
    const value =
      person.owns === 'supportPhone'
        ? `05${random.below(90_000_000) + 10_000_000}`
        : `Shop ${random.below(1e9)}`;
    const answers = await this.send(form, withValues(form.fields, { [person.owns]: value }));
    // What the same person has saved since from another tab is not overwritten unasked.
    if (answers.every(({ status, text }) => status === 422 && text.includes('Changed meanwhile'))) return;
    if (this.expect(answers, 303, 'settings')) person.value = value;
  }

  async open(path: string, button: RegExp): Promise<ServedForm> {
    const address = `/panel/a/${this.stack.account.id}${path}`;
    const { text } = await this.ask(address);
    const form = formsIn(text, address).find(({ buttons }) => buttons.some((one) => button.test(one.text)));
    if (form === undefined) throw new Error(`no form on ${path}: ${text.slice(0, 300)}`);
    return form;
  }

  /** Sends a form as hands do: once, by a double click, or again after the answer (Back, a reload). */
  async send(form: ServedForm, fields: Fields): Promise<PanelAnswer[]> {
    const one = () => {
      this.seen.sendings += 1;
      const sent = this.options.isKeyed ? fields : withValues(fields, { key: randomUUID() });
      return this.ask(form.action, sent);
    };
    const answers = await Promise.all(Array.from({ length: this.random.pick([1, 2, 2, 3]) }, one));
    if (this.random.below(3) === 0) answers.push(await one());
    return answers;
  }

  ask(path: string, form?: Fields): Promise<PanelAnswer> {
    const headers = { cookie: this.person.cookie };
    return askPanel(this.url + path, { ...(form === undefined ? {} : { form }), headers });
  }

  /** Whether all sendings of one form were answered alike, and as they should be. */
  expect(answers: readonly PanelAnswer[], status: number, what: string): boolean {
    const wrong = answers.find((one) => one.status !== status);
    if (wrong !== undefined) {
      this.seen.troubles.push(
        `${what}: ${wrong.status} ${/class="error"[^>]*>([^<]*)/.exec(wrong.text)?.[1] ?? ''}`,
      );
    }
    if (new Set(answers.map(({ to }) => to)).size > 1)
      this.seen.troubles.push(`${what}: led to several places`);
    return answers.some((one) => one.status === status);
  }
}

function withValues(fields: Fields, values: Record<string, string>): Fields {
  return [...fields.filter(([name]) => !(name in values)), ...Object.entries(values)];
}

/** What is wrong when everything has come to rest. */
export async function troublesAfter(stack: TestStack, seen: Seen): Promise<string[]> {
  const { id } = stack.account;
  const troubles = [...new Set(seen.troubles)];
  const ledger = await stack.sandbox.ledger();
  if (ledger.length !== seen.orders.size) {
    troubles.push(`${ledger.length} parcels are booked for ${seen.orders.size} orders`);
  }
  const doubled = ledger.filter(({ requests }) => requests !== 1);
  if (doubled.length > 0) troubles.push(`${doubled.length} parcels were asked for more than once`);
  const made =
    "SELECT COUNT(*) AS found FROM audit_log WHERE account_id = ? AND action LIKE 'webhook%rotate%'";
  const [row] = await stack.db.select(made, [id]);
  if (Number(row?.found) !== seen.secrets.size) {
    troubles.push(`${seen.secrets.size} secrets were seen of ${row?.found}`);
  }
  const [account] = await stack.db.select(
    'SELECT support_phone AS supportPhone, company_name AS companyName FROM accounts WHERE id = ?',
    [id],
  );
  for (const { owns, value } of seen.people) {
    if (account?.[owns] !== value) troubles.push(`${owns} is ${account?.[owns]}, saved was ${value}`);
  }
  return troubles;
}
