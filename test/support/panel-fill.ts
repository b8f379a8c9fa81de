import { randomUUID } from 'node:crypto';
import type { Sendable } from './panel-walk.js';

/** Fields as a form sends them. */
export type Fields = [string, string][];

/** Texts for empty fields, by name. */
const TEXTS: Record<string, () => string> = {
  email: () => `${randomUUID()}@shop.example`,
  url: () => 'http://127.0.0.1:9/hook',
  contact_phone: () => '0501234567',
  order: () => randomUUID(),
  overlap: () => '1h',
  domain: () => `${randomUUID()}.example`,
  since: () => '2026-11-01',
  code: () => randomUUID().slice(0, 12),
  preset_name: () => randomUUID(),
};

/** Filled in though no form requires them: an address where no pickup point is chosen, a pasted table, a preset's name. */
const FILLED = ['street', 'number', 'city', 'table', 'preset_name'];

/** Choices in place of a form's first ones, by the screen that takes it. */
const CHOSEN: Record<string, Record<string, () => string>> = {
  '/users': { role: () => 'operator' },
  '/a/:account/imports/new': { table: pastedOrders },
  '/a/:account/batches/new': { items: batchItems },
  '/a/:account/notifications/templates/new': { locale: () => 'he' },
};

/** Orders as they are pasted: one that can be booked, and one without a street. */
function pastedOrders(): string {
  const row = (rest: string) => `${randomUUID()},Dana,0501234567,${rest}`;
  return ['order,name,phone,street,city', row('Herzl,Haifa'), row(',Lod')].join('\n');
}

function batchItems(): string {
  const ship_data = { contact_name: 'Dana', contact_phone: '0501234567', street: 'Herzl', number: '7' };
  const item = () => ({
    order: { id: randomUUID() },
    ship_data: { ...ship_data, city: 'Haifa', type: 1, return: 1 },
  });
  return JSON.stringify([item(), item()]);
}

/**
 * The fields as a person sends them with a button: what is required and empty is filled in. `ticked`: the shipment
 * whose box is ticked in a list; `given`: values of certain fields.
 */
export function sentFields(
  { form, button, path }: Sendable,
  ticked = '',
  given: Readonly<Record<string, string>> = {},
): Fields {
  const required = [
    ...form.html.matchAll(/<(?:input|textarea)\b[^>]*\bname="([^"]+)"[^>]*\brequired\b/g),
  ].map(([, name]) => name ?? '');
  const filled = form.fields.map(([name, value]): [string, string] => {
    const chosen = given[name] ?? CHOSEN[path]?.[name]?.();
    if (chosen !== undefined) return [name, chosen];
    if (value !== '' || !(required.includes(name) || FILLED.includes(name))) return [name, value];
    return [name, (TEXTS[name] ?? (() => 'Haifa'))()];
  });
  const pressed = form.buttons[button];
  return [
    ...filled,
    ...tickedIn(form.html, form.fields, ticked),
    ...(pressed === undefined || pressed.name === ''
      ? []
      : [[pressed.name, pressed.value] as [string, string]]),
  ];
}

/** One box: of the shipment, of the first that waits for a decision, or of an event where none is ticked yet. */
function tickedIn(html: string, fields: Fields, ticked: string): Fields {
  const boxes = [
    ...html.matchAll(/<input type="checkbox"[^>]*name="(uuid|events|seen)" value="([^"]+)"/g),
  ].map(([, name = '', value = '']): [string, string] => [name, value]);
  const wanted = boxes.filter(([name, value]) =>
    name === 'uuid' ? value === ticked : !fields.some(([field]) => field === name),
  );
  return wanted.slice(0, 1);
}

/** Names of the inputs that a person types into, with their kinds. */
export function typedIn(html: string): { name: string; kind: string }[] {
  const inputs = [...html.matchAll(/<input\b[^>]*>/g)].flatMap(([tag]) => {
    const kind = /\btype="(\w+)"/.exec(tag)?.[1] ?? 'text';
    const name = /\bname="([^"]+)"/.exec(tag)?.[1];
    return name !== undefined && /^(text|email|url|tel)$/.test(kind) ? [{ name, kind }] : [];
  });
  const areas = [...html.matchAll(/<textarea\b[^>]*\bname="([^"]+)"/g)].map(([, name = '']) => ({
    name,
    kind: 'text',
  }));
  return [...inputs, ...areas];
}

/** The fields with other values for some. */
export function withValues(fields: Fields, values: Readonly<Record<string, string>>): Fields {
  return [...fields.filter(([name]) => !(name in values)), ...Object.entries(values)];
}

/** Something that such an input takes; `number` makes it another one. */
export function valueFor({ name, kind }: { name: string; kind: string }, number: number): string {
  if (kind === 'email' || /email|reply_to/i.test(name)) return `m${number}@shop.example`;
  if (kind === 'url' || /logo|url/i.test(name)) return `http://127.0.0.1:9/${number}`;
  if (kind === 'tel' || /phone/i.test(name)) return `05${String(number).padStart(9, '1').slice(0, 8)}`;
  if (/color/i.test(name)) return `#${String(number).padStart(6, '0').slice(0, 6)}`;
  if (/domain/i.test(name)) return `d${number}.example`;
  return `Value ${number}`;
}
