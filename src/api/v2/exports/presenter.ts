import type { ExportRecord } from '../../../domain/exports.js';
import type { Export } from './schema.js';

export function presentExport(record: ExportRecord): Export {
  return {
    id: record.id,
    type: record.type,
    status: record.status,
    platform: record.platform,
    row_count: record.rowCount,
    filename: record.filename,
    error: record.error,
    download_url: null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
