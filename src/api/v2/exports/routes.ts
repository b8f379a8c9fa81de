import { findExport, listExports } from '../../../db/queries/exports/exports.js';
import { notFound } from '../../../domain/errors.js';
import { EXPORT_COLUMNS } from '../../../domain/exports.js';
import { createExport } from '../../../services/exports/create-export.js';
import { cursorList } from '../../pagination.js';
import { defineRoute, scopeOf, theLicense } from '../../route.js';
import { answerOf, LicenseQuery, ListQuery, pageAnswerOf } from '../schemas.js';
import { toExportFilter } from './filter.js';
import { pendingExample, presentExport } from './presenter.js';
import { CreateExportBody, type Export, ExportParams, ExportSchema } from './schema.js';

const TAG = 'Exports';
const COLUMN_NAMES = EXPORT_COLUMNS.map(({ name }) => `\`${name}\``).join(', ');

const completedExample = {
  ...pendingExample,
  status: 'completed',
  row_count: 1842,
  filename: 'shipments-7-20261121-093000.csv',
  updated_at: '2026-11-21T09:30:02.456789Z',
} satisfies Export;

const list = defineRoute(
  {
    method: 'get',
    path: '/exports',
    operationId: 'listExports',
    tag: TAG,
    summary: 'List exports',
    description: 'Newest first.',
    license: 'one',
    query: ListQuery,
    responses: { 200: pageAnswerOf('A page of exports.', ExportSchema, '/exports', [completedExample]) },
  },
  async (context) => {
    const scope = scopeOf(context);
    const json = await cursorList(
      context,
      { list: 'exports', filters: { license: String(scope.licenseId) } },
      (page) => listExports(context.app.db, { ...scope, ...page }),
      presentExport,
    );
    return { status: 200, json };
  },
);

const create = defineRoute(
  {
    method: 'post',
    path: '/exports',
    operationId: 'createExport',
    audit: { action: 'exports.create', target: 'export' },
    tag: TAG,
    summary: 'Export shipments',
    description:
      "Writes the license's shipments into a file and mails it to the account's e-mail address. A license can " +
      'have one export in progress. A file of up to 10 MiB is attached; for a larger one the mail has a link that ' +
      'works for 7 days. Shipments created after the request are not included. A workbook starts another sheet after ' +
      '1,000,000 rows. Text cells of a CSV that a spreadsheet would calculate begin with an apostrophe; the cells of a ' +
      'workbook are texts by their type and hold the text itself. Columns, in this order ' +
      `(later versions add at the end): ${COLUMN_NAMES}.`,
    license: 'one',
    bodyOptional: true,
    body: CreateExportBody,
    bodyExample: { filter: { active: true, created_from: '2026-11-01' }, format: 'csv' },
    responses: {
      202: answerOf('The export is being prepared.', ExportSchema, pendingExample, { headers: ['Location'] }),
    },
    errors: ['duplicate_request'],
    errorMessages: { duplicate_request: 'An export is already being prepared for this license.' },
  },
  async (context) => {
    const { app, accountId, body, request } = context;
    const wanted = {
      accountId,
      license: theLicense(context),
      filter: toExportFilter(body.filter ?? {}),
      format: body.format ?? 'csv',
    };
    const record = await request.whileWaiting(() => createExport(app, wanted));
    return {
      status: 202,
      json: { data: presentExport(record) },
      headers: { Location: `${app.config.baseUrl}/api/v2/exports/${record.id}` },
    };
  },
);

const show = defineRoute(
  {
    method: 'get',
    path: '/exports/{export}',
    operationId: 'getExport',
    tag: TAG,
    summary: 'Read an export',
    description: 'Poll it until `status` is `completed` or `failed`.',
    license: 'one',
    params: ExportParams,
    query: LicenseQuery,
    responses: { 200: answerOf('The export.', ExportSchema, completedExample) },
    errors: ['not_found'],
    errorMessages: { not_found: 'The requested export was not found.' },
  },
  async (context) => {
    const exportId = toId(context.params.export);
    const record = await findExport(context.app.db, { ...scopeOf(context), exportId });
    if (record === null) throw notFound('export');
    return { status: 200, json: { data: presentExport(record) } };
  },
);

export const exportRoutes = { list, create, show };

/** An invalid id is answered like a missing export. */
function toId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text) || !Number.isSafeInteger(Number(text))) throw notFound('export');
  return Number(text);
}
