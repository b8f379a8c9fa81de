import { type Static, Type } from 'typebox';
import { SHIPPING_STATUSES } from '../../../domain/statuses.js';
import { MOMENT_PATTERN } from '../../validation.js';
import {
  CreatedAt,
  closedObject,
  licenseKeyInput,
  licenseKeyQuery,
  nullableText,
  perPageQuery,
  UpdatedAt,
} from '../schemas.js';

const STATUS_CODES = SHIPPING_STATUSES.map((status) => status.code);

export const ExportSchema = closedObject('Export', 'Shipments as a file, mailed to the account.', {
  id: Type.Integer({ description: 'Id of the export.' }),
  type: Type.String({ description: '`shipments`.' }),
  status: Type.Enum(['pending', 'processing', 'completed', 'failed'], {
    description:
      '`pending`: waits. `processing`: the file is written. `completed`: it was mailed. `failed`: `error` says why.',
  }),
  platform: Type.String({ description: '`api_v2` for exports of this API.' }),
  row_count: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Shipments in the file; null until `completed`.',
  }),
  filename: nullableText({ description: 'Null until `completed`.' }),
  error: nullableText({ description: 'Why it `failed`, else null.' }),
  download_url: Type.Null({ description: 'Always null: the file comes by e-mail.' }),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});
export type Export = Static<typeof ExportSchema>;

const moment = (which: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 64,
      pattern: MOMENT_PATTERN,
      description: `${which} moment of creation, included: ISO 8601 with a zone, or a day (UTC).`,
    }),
  );

const Filter = Type.Object(
  {
    active: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'true active only, false inactive only, left out both.',
      }),
    ),
    type: Type.Optional(
      Type.Unsafe<1 | 2 | '1' | '2' | null>({
        enum: [1, 2, '1', '2', null],
        description: 'Only deliveries (1) or only collections (2).',
      }),
    ),
    status: Type.Optional(
      Type.Unsafe<(typeof STATUS_CODES)[number] | null>({
        enum: [...STATUS_CODES, null],
        description: 'Only shipments in this status.',
      }),
    ),
    label_generated: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'true only those whose label was made, false only the others.',
      }),
    ),
    created_from: moment('First'),
    created_to: moment('Last'),
  },
  { title: 'ExportFilter', description: 'Missing and null fields do not filter.' },
);
export type FilterInput = Static<typeof Filter>;

/** Optional body. */
export const CreateExportBody = Type.Object(
  {
    license_key: licenseKeyInput,
    filter: Type.Optional(Filter),
    format: Type.Optional(
      Type.Unsafe<'csv' | 'xlsx' | null>({
        enum: ['csv', 'xlsx', null],
        default: 'csv',
        description:
          'File format. Use `xlsx` for spreadsheets: its phone numbers, postal codes and order numbers are text cells. ' +
          'A spreadsheet that opens a `csv` reads them as numbers and drops leading zeros (0501234567 becomes ' +
          '501234567), although the file has them. `csv` is for programs.',
      }),
    ),
  },
  { title: 'CreateExport', description: 'What is exported, and how.' },
);

export const ListExportsQuery = Type.Object({
  license_key: licenseKeyQuery,
  per_page: perPageQuery,
  cursor: Type.Optional(
    Type.String({ maxLength: 512, description: '`meta.next_cursor` or `meta.prev_cursor` of a page.' }),
  ),
});

export const ExportQuery = Type.Object({ license_key: licenseKeyQuery });

export const ExportParams = Type.Object({
  export: Type.String({ description: 'The id of the export.', examples: ['12'] }),
});
