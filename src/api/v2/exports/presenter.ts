import type { ExportRecord } from '../../../domain/exports.js';
import type { Export } from './schema.js';

export const pendingExample = {
  id: 12,
  type: 'shipments',
  status: 'pending',
  platform: 'api_v2',
  row_count: null,
  filename: null,
  error: null,
  download_url: null,
  created_at: '2026-11-21T09:30:00.123456Z',
  updated_at: '2026-11-21T09:30:00.123456Z',
} satisfies Export;

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
