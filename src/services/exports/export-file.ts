import { findExportLink } from '../../db/queries/exports/exports.js';
import type { OpenDocument } from '../../documents/storage.js';
import { EXPORT_CONTENT_TYPES, exportFileKey, exportFilename } from '../../domain/exports.js';
import type { App } from '../app.js';

/** A stream of an export's file. */
export interface ExportFile extends OpenDocument {
  contentType: string;
}

/** The file of a link; `ended` for an expired link, null for an unknown one. */
export async function openExportFile(
  { db, storage }: Pick<App, 'db' | 'storage'>,
  { fileUuid, filename }: { fileUuid: string; filename: string },
): Promise<ExportFile | 'ended' | null> {
  const link = await findExportLink(db, fileUuid);
  if (link === null || exportFilename(link) !== filename) return null;
  if (!link.isOpen) return 'ended';
  const document = await storage.open(exportFileKey({ fileUuid, format: link.format }));
  return document === null ? 'ended' : { ...document, contentType: EXPORT_CONTENT_TYPES[link.format] };
}
