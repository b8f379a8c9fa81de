import { type Static, Type } from 'typebox';
import { SHIPPING_STATUSES } from '../../../domain/statuses.js';
import { closedObject, nullableInteger, nullableText, stamps } from '../../schemas.js';
import { MOMENT_PATTERN } from '../../validation.js';
import { licenseKeyInput, optionalChoice, optionalText } from '../schemas.js';

const STATUS_CODES = SHIPPING_STATUSES.map((status) => status.code);

export const ExportSchema = closedObject('Export', 'Shipments as a file, mailed to the account.', {
  id: Type.Integer({ description: 'Id of the export.' }),
  type: Type.String({ description: '`shipments`.' }),
  status: Type.Enum(['pending', 'processing', 'completed', 'failed'], {
    description:
      '`pending`: waits. `processing`: the file is written. `completed`: it was mailed. `failed`: `error` says why.',
  }),
  platform: Type.String({ description: '`api_v2` for exports of this API.' }),
  row_count: nullableInteger('Shipments in the file; null until `completed`.'),
  filename: nullableText('Null until `completed`.'),
  error: nullableText('Why it `failed`, else null.'),
  download_url: Type.Null({ description: 'Always null: the file comes by e-mail.' }),
  ...stamps,
});
export type Export = Static<typeof ExportSchema>;

const moment = (which: string) =>
  optionalText(`${which} moment of creation, included: ISO 8601 with a zone, or a day (UTC).`, {
    maxLength: 64,
    pattern: MOMENT_PATTERN,
  });

const optionalBoolean = (description: string) =>
  Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], description }));

const Filter = Type.Object(
  {
    active: optionalBoolean('true active only, false inactive only, left out both.'),
    type: optionalChoice('Only deliveries (1) or only collections (2).', [1, 2, '1', '2'] as const),
    status: optionalChoice('Only shipments in this status.', STATUS_CODES),
    label_generated: optionalBoolean('true only those whose label was made, false only the others.'),
    created_from: moment('First'),
    created_to: moment('Last'),
  },
  { title: 'ExportFilter', description: 'Missing and null fields do not filter.' },
);

/** Optional body. */
export const CreateExportBody = Type.Object(
  {
    license_key: licenseKeyInput,
    filter: Type.Optional(Filter),
    format: optionalChoice(
      'File format. Use `xlsx` for spreadsheets: its phone numbers, postal codes and order numbers are text cells. ' +
        'A spreadsheet that opens a `csv` reads them as numbers and drops leading zeros (0501234567 becomes ' +
        '501234567), although the file has them. `csv` is for programs.',
      ['csv', 'xlsx'] as const,
      { default: 'csv' },
    ),
  },
  { title: 'CreateExport', description: 'What is exported, and how.' },
);

export const ExportParams = Type.Object({
  export: Type.String({ description: 'The id of the export.', examples: ['12'] }),
});
