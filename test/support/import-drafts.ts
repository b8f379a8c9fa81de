import { randomUUID } from 'node:crypto';
import { quoted } from '../../src/domain/problems/problem.js';
import { startDraft } from '../../src/services/imports/drafts.js';
import type { HttpStack } from './http.js';
import type { PanelAnswer } from './panel.js';

/**
 * A new draft of an import with as many faulty rows as ones that can be booked, one of each by default; as parameters of
 * the panel's paths.
 */
export async function importDraft(http: HttpStack, accountId: number, licenseId: number, faulty = 1) {
  const order = randomUUID();
  const rows = Array.from(
    { length: faulty },
    (_, index) =>
      `\n${order}-${2 * index + 1},Dana,0501234567,Herzl,Haifa\n${order}-${2 * index + 2},Avi,none,Herzl,Lod`,
  );
  const started = await startDraft(http.app, {
    accountId,
    licenseId,
    fileName: 'orders.csv',
    file: Buffer.from(`order,name,phone,street,city${rows.join('')}`),
    language: 'en',
    check: ({ ship_data: { contact_phone } }) =>
      contact_phone === 'none' ? { 'ship_data.contact_phone': [quoted('The field is none.')] } : {},
  });
  if (typeof started === 'string') throw new Error(started);
  const { uuid: draft } = started;
  const [row] = await http.db.select(
    "SELECT r.id FROM import_rows r JOIN import_drafts d ON d.id = r.draft_id WHERE d.uuid = ? AND r.state = 'faulty' LIMIT 1",
    [draft],
  );
  return { draft, row: String(row?.id) };
}

/** Sends a file of orders as the panel's form does. `base`: the address of the account's pages. */
export async function uploadOrders(
  base: string,
  cookie: string,
  {
    content,
    name,
    fields = {},
  }: { content: string | Uint8Array<ArrayBuffer>; name: string; fields?: Record<string, string> },
): Promise<PanelAnswer> {
  const form = new FormData();
  for (const [field, value] of Object.entries({ key: randomUUID(), ...fields })) form.set(field, value);
  form.set('file', new File([content], name));
  const response = await fetch(`${base}/imports/new`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  });
  const text = await response.text();
  return { status: response.status, text, to: response.headers.get('location'), cookie: '' };
}
