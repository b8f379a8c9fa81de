import { createExport } from '../../../services/exports/create-export.js';
import { defineRoute } from '../../route.js';
import { answerOf } from '../schemas.js';
import { toExportFilter } from './filter.js';
import { pendingExample, presentExport } from './presenter.js';
import { CreateExportBody, ExportSchema } from './schema.js';

/**
 * An export over all licenses of an account. API v2 documents exports of one license alone, so this operation has no
 * path there: the panel calls it by reference. A `license_key` is not looked at.
 */
export const createAccountExport = defineRoute(
  {
    method: 'post',
    path: '/exports',
    operationId: 'createAccountExport',
    audit: { action: 'exports.create', target: 'export' },
    tag: 'Exports',
    summary: 'Export the shipments of all licenses',
    license: 'none',
    body: CreateExportBody,
    responses: { 202: answerOf('The export is being prepared.', ExportSchema, pendingExample) },
    errors: ['duplicate_request'],
  },
  async ({ app, accountId, body, request }) => {
    const wanted = {
      accountId,
      license: null,
      filter: toExportFilter(body.filter ?? {}),
      format: body.format ?? 'csv',
    } as const;
    const record = await request.whileWaiting(() => createExport(app, wanted));
    return { status: 202, json: { data: presentExport(record) } };
  },
);
