import { Type } from 'typebox';
import { labelUrlOfShipment } from '../../../services/labels/labels.js';
import { modelNotFound } from '../refusals.js';
import { bare, succeeded } from '../reply.js';
import { envelopeOf } from '../responses.js';
import { defineLicensedRoute } from '../route.js';
import { titled } from '../schemas.js';
import { codeOf, findByCode, shippingId } from '../shipping/lookup.js';
import { shipmentMissing } from '../shipping/schema.js';
import { LabelUrl, labelUrlExample } from './schema.js';

const NoLabel = titled('NoLabel', 'No label.', {
  error: Type.String({ description: 'Says that the carrier has no label.' }),
});

export const labelRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/label',
    operationId: 'getLabel',
    tag: 'Shipping',
    summary: "Get the address of a shipment's label",
    description:
      "Makes the label on first use. The license's label method, else the account's, selects the built-in renderer or " +
      "the carrier's own label. Cancelled shipments have one too. A valid `token` extends the look-up to all licenses " +
      "of its user. Without a label of the carrier the body is only `{ error }`, with HTTP 200.\n\nThe renderer's " +
      'URLs accept `output=html`, `position` (1 to 8, the slot of the first label on an A4 sheet), ' +
      '`enable_sort_by_warehouse=true` and `sort_by_warehouse` (`asc`, `desc`). No URL needs credentials.',
    normalised: true,
    input: { shipping_id: shippingId },
    inputExample: { license_key: 'lic-main', domain: 'demo-shop.example', shipping_id: '74100231' },
    responses: {
      200: {
        description: 'Where the label is, or that there is none.',
        schema: Type.Union([envelopeOf(LabelUrl), NoLabel]),
        example: { data: labelUrlExample, message: '', success: true, warning: '' },
      },
      404: shipmentMissing,
    },
  },
  async ({ app, request, say, input, license, user }) => {
    const code = codeOf(input.shipping_id);
    const shipment = await findByCode(app, { license, user }, code);
    if (shipment === null) throw modelNotFound('Shipment', code);
    const { accountId, uuid } = shipment;
    const url = await request.whileWaiting(() => labelUrlOfShipment(app, { accountId, uuid }));
    return url === null ? bare(200, { error: say.noCarrierLabel }) : succeeded({ url });
  },
);
