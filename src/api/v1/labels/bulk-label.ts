import { Type } from 'typebox';
import { mapShipmentsByCode } from '../../../db/queries/shipments/coded-shipments.js';
import { SLOTS_PER_SHEET } from '../../../domain/labels.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { labelsOfShipments } from '../../../services/labels/labels.js';
import { refuseFields, shownKey } from '../refusals.js';
import { failed, succeeded } from '../reply.js';
import { envelopeOf, FailureEnvelope } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { scopeOf, shippingCode } from '../shipping/lookup.js';
import { LabelUrl, labelUrlExample } from './schema.js';

export const bulkLabelRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/bulk-label',
    operationId: 'getBulkLabel',
    tag: 'Shipping',
    summary: 'Print labels together',
    description:
      'One document for up to 100 shipments, cancelled ones included, in the given order; a repeated ' +
      `code counts once. At most ${LIMITS.labels.ofDocument} packages in all. Always from the built-in renderer. ` +
      "A valid `token` extends the look-up to all licenses of its user's account.",
    normalised: true,
    input: {
      shipping_codes: Type.Array(shippingCode, {
        minItems: 1,
        maxItems: 100,
        description: "The carrier's tracking codes, in the order in which they are printed.",
      }),
      position: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: SLOTS_PER_SHEET,
          default: 1,
          description: 'Slot of the first label on an A4 sheet; those before it stay blank.',
        }),
      ),
    },
    inputExample: {
      license_key: 'lic-main',
      domain: 'demo-shop.example',
      shipping_codes: ['74100231', '74100232'],
      position: 3,
    },
    responses: {
      200: {
        description: 'Where the document is.',
        schema: envelopeOf(LabelUrl),
        example: { data: labelUrlExample, message: '', success: true, warning: '' },
      },
      404: {
        description: 'Codes that name no shipment of the license; nothing is printed.',
        schema: FailureEnvelope,
        example: { data: [], message: 'No shipments found: 74100299', success: false, warning: '' },
      },
    },
  },
  async ({ app, request, say, input, license, user }) => {
    const codes = [...new Set(input.shipping_codes.map(String))];
    const found = await mapShipmentsByCode(app.db, scopeOf({ license, user }), codes);
    // A set belongs to one account: another account's token adds that account's shipments, but a set never mixes both.
    const [{ accountId } = license] = found.values();
    const unknown = codes.filter((code) => found.get(code)?.accountId !== accountId);
    if (unknown.length > 0) return failed(404, say.noShipments(unknown.map(shownKey)));
    const shipments = codes.flatMap((code) => found.get(code) ?? []);
    const labels = shipments.reduce((sum, { packages }) => sum + packages, 0);
    if (labels > LIMITS.labels.ofDocument) {
      const errors = {
        shipping_codes: [say.tooManyPackages('shipping_codes', LIMITS.labels.ofDocument, labels)],
      };
      throw refuseFields(errors, request, say);
    }
    const uuids = shipments.map(({ uuid }) => uuid);
    const options = { labelType: null, position: input.position ?? 1, sort: undefined };
    const { url } = await request.whileWaiting(() =>
      labelsOfShipments(app, { accountId, shipments: uuids, options }),
    );
    return succeeded({ url });
  },
);
