import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { IdempotencyRef } from '../../../contracts/create-shipment.js';
import type { KeyedLicense } from '../../../db/queries/accounts/keyed-licenses.js';
import { cancelledUntil, findKey, shortenKey } from '../../../db/queries/creation/idempotency.js';
import { AppError } from '../../../domain/errors.js';
import { isObject } from '../../../lib/json.js';
import { LIMITS } from '../../../lib/limits/values.js';
import { DAY_SECONDS, israelWallClock } from '../../../lib/time.js';
import { createShipment, cutsNote, newCreation } from '../../../services/creation/create-shipment.js';
import type { Reply } from '../../operation.js';
import { closed } from '../../schemas.js';
import type { Input } from '../input.js';
import type { Messages } from '../messages/messages.js';
import { failed, succeeded } from '../reply.js';
import { FailureEnvelope, success } from '../responses.js';
import { defineLicensedRoute, type LicensedContext } from '../route.js';
import { checkOrder, hasPlace, toCommand } from './command.js';
import { unknownCountry } from './country.js';
import { siteOf } from './lookup.js';
import { OrderFields, openNewOrderExample, ShipDataFields, ShipmentSettingsFields } from './order-fields.js';
import { Company } from './schema.js';

const OpenedOrder = closed('The created shipment.', {
  shipping_id: Type.Integer({
    description: 'Row id of the shipment; no other route accepts it.',
    examples: [5012],
  }),
  code: Type.String({
    description: "The carrier's tracking code, used by all other routes.",
    examples: ['74100231'],
  }),
  shipping_type: Type.String({ description: 'The service in words.', examples: ['Regular delivery'] }),
  company: Company,
  idempotent: Type.Optional(Type.Literal(true, { description: 'Another request created the shipment.' })),
});

export const openNewOrderRoute = defineLicensedRoute(
  {
    method: 'post',
    path: '/shipping/open_new_order',
    operationId: 'openNewOrder',
    tag: 'Shipping',
    summary: 'Create a shipment',
    description:
      'Books a parcel with the carrier of the license. A repeat for the same `order.id` within an hour of the ' +
      'first answer returns the first shipment with `idempotent`, whatever else it contains; the hour starts with ' +
      'the first response about the shipment. Requests during the first one wait for its end. A street, a city and a ' +
      'contact name are required in `ship_data` or ' +
      '`order.billing`.',
    input: {
      ship_data: ShipDataFields,
      order: OrderFields,
      order_items: Type.Optional(
        Type.Array(
          Type.Object({
            name: Type.String({ description: 'Name of the product.' }),
            quantity: Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1, description: 'How many.' }),
            total: Type.Number({ description: 'Price of the whole line.' }),
            sku: Type.Optional(Type.Unknown({ description: 'Text.' })),
            variation: Type.Optional(Type.Unknown({ description: 'Text.' })),
            virtual: Type.Optional(Type.Unknown({ description: 'Flag: it is not shipped.' })),
          }),
          { maxItems: 10_000, description: 'Lines of the order.' },
        ),
      ),
      shipment_settings: Type.Optional(ShipmentSettingsFields),
      code: Type.Optional(Type.Unknown({ description: 'A text for the carrier.' })),
    },
    rules: [checkOrder],
    inputExample: openNewOrderExample,
    responses: {
      200: success('The shipment.', OpenedOrder),
      400: { description: "The license blocks the order's status.", schema: FailureEnvelope },
    },
  },
  create,
);

async function create({ app, request, say, input, license, user }: LicensedContext<Input>): Promise<Reply> {
  const storeSiteId = await siteOf({ app, user }, input);
  const command = toCommand(input, license, { storeSiteId, giftWord: say.gift });
  const { order } = command;
  const { accountId, merchant } = license;
  const idempotency = keyOf(license, order.id, app.config.idempotencyKeyDays * DAY_SECONDS);
  const refusal = whyNotBegun(say, command, license);
  // A repeat gets the first shipment, whatever else it contains.
  if (refusal !== null && (await findKey(app.db, { accountId, ...idempotency })) === null) return refusal;
  const creation = newCreation(
    // After the hour the order is shipped again, even if the license forbids that in v2.
    { ...license, multipleShipment: true },
    { accountId, idempotency, ...command },
  );
  try {
    const outcome = await request.whileWaiting(() => createShipment(app, { creation, order, merchant }));
    request.onShipment(outcome);
    if (outcome.kind === 'pending') return tryAgain(say);
    const { shipmentUuid } = outcome;
    const idempotent = outcome.replayed || outcome.joined;
    const until = idempotent ? await cancelledUntil(app.db, shipmentUuid) : null;
    return {
      ...opened(outcome.body, license, {
        idempotent,
        warning: warningOf(say, { until, unknown: unknownCountry(input), isCut: cutsNote(app, creation) }),
      }),
      // A caller who gave up waiting must find the shipment however late the carrier books it.
      whenTold: () => shortenKey(app.db, { shipmentUuid, seconds: LIMITS.creations.repeatSeconds }),
    };
  } catch (error) {
    // Plugins see an adapter's objections as the carrier's refusal.
    if (error instanceof AppError && error.code === 'validation_failed') {
      const objections = Object.values(error.fields ?? {}).flat();
      return failed(500, objections.map(({ text }) => text).join(' '));
    }
    throw error;
  }
}

/** `until`: when the parcel of the answer, which was cancelled, no longer stands for the order. */
function warningOf(
  say: Messages,
  { until, unknown, isCut }: { until: string | null; unknown: string | null; isCut: boolean },
): string {
  const cancelled = until === null ? '' : say.cancelledRepeat(hourOf(until));
  return [cancelled, isCut ? say.noteCut : '', unknown === null ? '' : say.unknownCountry(unknown)]
    .filter((warning) => warning !== '')
    .join(' ');
}

/** The time of day in Israel. An answer that nobody has received yet is repeated for an hour from now. */
function hourOf(until: string): string {
  const latestMs = Date.now() + LIMITS.creations.repeatSeconds * 1000;
  return israelWallClock(Math.min(Date.parse(until), latestMs)).time.slice(0, 5);
}

/** The reason not to start a creation; null when it may start. */
function whyNotBegun(
  say: Messages,
  { details, order: { status } }: ReturnType<typeof toCommand>,
  license: KeyedLicense,
): Reply | null {
  if (status !== null && license.blockedStatuses.includes(status)) {
    return failed(400, say.blockedStatus(status));
  }
  const lacksDestination = details.serviceType === 2 && !hasPlace(details.collectFrom ?? license.collectFrom);
  return lacksDestination ? failed(500, say.destinationCityRequired) : null;
}

/** The key and fingerprint come from license and order only, so no repeat is a conflict. */
function keyOf(license: KeyedLicense, orderId: string, keepForSeconds: number): IdempotencyRef {
  const keyHash = createHash('sha256').update(`${license.id}\n${orderId}`).digest('hex');
  return { api: 'v1', keyHash, fingerprint: keyHash, keepForSeconds };
}

/** The stored answer with company, repeat flag and warning. */
function opened(
  body: string,
  { company: name }: KeyedLicense,
  { idempotent, warning }: { idempotent: boolean; warning: string },
): Reply {
  const stored: unknown = JSON.parse(body);
  if (!isObject(stored)) throw new Error('a stored answer of open_new_order is no object');
  const data = { ...stored, company: { name } };
  return succeeded(idempotent ? { ...data, idempotent: true } : data, '', warning);
}

/** The creation continues; the same request waits for it again. */
function tryAgain(say: Messages): Reply {
  return { ...failed(500, say.carrierSilent), headers: { 'Retry-After': '10' } };
}
