import { randomCrockford } from '../../src/lib/ids.js';
import type { HttpAccount, HttpLicense, HttpStack } from './http.js';

/** A merchant with everything that the tracking page shows. */
export async function newMerchant(
  http: HttpStack,
  columns: Record<string, string | null> = {},
): Promise<{ account: HttpAccount; license: HttpLicense }> {
  const account = await http.account();
  const values = {
    company_name: 'Acme Outdoor',
    company_logo: 'https://cdn.acme.test/logo.svg',
    support_email: 'help@acme.test',
    support_phone: '03-1234567',
    tracker_page_contact_info: JSON.stringify({
      whatsapp: '052-1234567',
      website: 'https://acme.test/help',
      hours: 'Sun-Thu 09:00-17:00',
    }),
    ...columns,
  };
  const assignments = Object.keys(values).map((column) => `${column} = ?`);
  await http.db.run(`UPDATE accounts SET ${assignments.join(', ')} WHERE id = ?`, [
    ...Object.values(values),
    account.id,
  ]);
  return { account, license: await http.license(account.id) };
}

/** A shipment with history whose private fields contain `private`; returns its short code. */
export async function newParcel(
  http: HttpStack,
  merchant: { account: HttpAccount; license: HttpLicense },
  history: readonly string[],
  columns: Record<string, string | number | boolean | null> = {},
): Promise<string> {
  const shortCode = String(columns.short_tracking_code ?? randomCrockford(10));
  const { uuid } = await http.shipment(merchant.account.id, merchant.license, {
    columns: {
      short_tracking_code: shortCode,
      status_code: history.at(-1) ?? 'created',
      status_description: 'private description',
      recipient_name: 'private name',
      recipient_phone: '050-private',
      recipient_email: 'private@example.test',
      recipient_company: 'private company',
      recipient_street: 'private street',
      recipient_number: 'private number',
      recipient_city: 'Haifa',
      recipient_zip: 'private zip',
      ...columns,
    },
  });
  for (const [index, code] of history.entries()) {
    await http.db.run(
      `INSERT INTO shipment_events
         (shipment_id, code, description, occurred_at, carrier_code, carrier_description, location)
       SELECT id, ?, 'private text', ?, ?, 'private words', 'private location' FROM shipments WHERE uuid = ?`,
      [code, `2026-11-${10 + index} 07:05:00`, String(index), uuid],
    );
  }
  return shortCode;
}
