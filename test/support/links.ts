import { randomUUID } from 'node:crypto';
import {
  beginExport,
  findExport,
  insertExport,
  nameExportFile,
  openExportLink,
} from '../../src/db/queries/exports/exports.js';
import { ensureLabelSet, insertCarrierLabel } from '../../src/db/queries/labels/labels.js';
import { exportFilename } from '../../src/domain/exports.js';
import { DEFAULT_LABEL_OPTIONS } from '../../src/domain/labels.js';
import type { HttpAccount, HttpLicense, HttpStack } from './http.js';

/** A shipment with label URLs and an export's file URL, without stored files. */
export interface Linked {
  uuid: string;
  label: string;
  document: string;
  exportFile: string;
}

/** Inserts a shipment with these URLs. */
export async function linkDocuments(
  http: HttpStack,
  account: HttpAccount,
  license: HttpLicense,
): Promise<Linked> {
  const { db } = http;
  const accountId = account.id;
  const { uuid } = await http.shipment(accountId, license, { columns: { tracking_code: '74100231' } });
  const [row] = await db.select('SELECT id FROM shipments WHERE uuid = ?', [uuid]);
  const shipmentId = Number(row?.id);
  const set = { accountId, shipmentIds: [shipmentId], options: DEFAULT_LABEL_OPTIONS };
  const document = randomUUID();
  await insertCarrierLabel(db, { accountId, shipmentId, uuid: document, bytes: 1 });
  return {
    uuid,
    label: `/shipping/label/${(await ensureLabelSet(db, set)).uuid}`,
    document: `/storage/document/${document}.pdf`,
    exportFile: await linkExport(http, accountId, license.id),
  };
}

async function linkExport({ db }: HttpStack, accountId: number, licenseId: number): Promise<string> {
  const exportId = await insertExport(db, { accountId, licenseId, format: 'csv', filter: {} });
  const ref = { accountId, exportId };
  const fileUuid = randomUUID();
  await beginExport(db, ref);
  await nameExportFile(db, { ...ref, fileUuid });
  await openExportLink(db, { ...ref, expiresAt: '2099-01-01 00:00:00' });
  // Frees the license's slot.
  await db.run('UPDATE exports SET in_flight_place = NULL WHERE id = ?', [exportId]);
  const record = await findExport(db, ref);
  if (record === null) throw new Error('the export is missing');
  return `/storage/export/${fileUuid}/${exportFilename(record)}`;
}
