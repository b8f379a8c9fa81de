import { Type } from 'typebox';
import type { LabelType, WarehouseSort } from '../../../domain/labels.js';
import { closedObject } from '../../schemas.js';
import { licenseKeyInput, optionalChoice, optionalFlag } from '../schemas.js';

const LabelTypeSchema = Type.Enum(['thermal', 'A4'], {
  description: '`A4`: eight labels a sheet; `thermal`: one page 74 mm wide a package.',
});

const DocumentUrl = Type.String({
  format: 'uri',
  description: 'The PDF. Needs no credentials: anyone with the URL can print.',
});

export const LabelSchema = closedObject('Label', 'Where the label of a shipment is.', {
  url: DocumentUrl,
  label_type: LabelTypeSchema,
  source: Type.Enum(['builtin', 'carrier'], {
    description: 'Who made it: `builtin` our renderer, `carrier` the carrier.',
  }),
});

export const LabelsSchema = closedObject('Labels', 'Where one document for many shipments is.', {
  url: DocumentUrl,
  count: Type.Integer({ minimum: 1, description: 'Shipments in the document.' }),
});

export const CreateLabelsBody = Type.Object({
  license_key: licenseKeyInput,
  shipments: Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: 100,
    description:
      'Uuids of shipments of the license, in the order in which they are printed; 500 packages in all at most.',
  }),
  label_type: optionalChoice<LabelType>("Default: the license's, else the account's.", ['thermal', 'A4']),
  position: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 8,
      default: 1,
      description:
        'Slot of the first label on an A4 sheet, row by row from the top left; those before it stay blank.',
    }),
  ),
  enable_sort_by_warehouse: optionalFlag(
    "Sorts by the `warehouse_location` of the orders' `meta_data`; orders without one come last. Default: the account's setting.",
  ),
  sort_by_warehouse: optionalChoice<WarehouseSort>('Default: `asc`.', ['asc', 'desc']),
});
