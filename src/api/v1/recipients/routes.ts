import { LOOKED_AT, listRecipientShipments } from '../../../db/queries/shipments/recipient-shipments.js';
import { phoneKey } from '../../../domain/phone.js';
import { registerRecipient, signInRecipient } from '../../../services/shipments/recipients.js';
import { pageOf, paginate } from '../paginator.js';
import { appFailure, refuseAppFields, succeeded } from '../reply.js';
import { success } from '../responses.js';
import { defineAppRoute, defineRecipientRoute, type V1Route } from '../route.js';
import { readable } from '../validate.js';
import { checkPeriod, filterOf, orderOf } from './list-input.js';
import { presentShipment, presentSignedIn } from './presenter.js';
import {
  deviceName,
  LIST_INPUT,
  phoneNumber,
  RecipientShipmentSchema,
  RecipientUser,
  recipientName,
} from './schema.js';

const getAppUser = defineAppRoute(
  {
    method: 'get',
    path: '/get_app_user',
    operationId: 'getAppUser',
    tag: 'Recipient app',
    summary: 'Sign a recipient in',
    description: 'Creates a new token on every call; earlier ones stay valid. An unknown phone is 500.',
    input: { phone_number: phoneNumber, device_name: deviceName },
    responses: { 200: success('The recipient, with a token.', RecipientUser) },
  },
  async ({ app, say, input }) => {
    const signedIn = await signInRecipient(app.db, {
      phone: input.phone_number,
      deviceName: input.device_name,
    });
    return signedIn === null ? appFailure(500, say.userNotFound) : succeeded(presentSignedIn(signedIn));
  },
);

const createAppUser = defineAppRoute(
  {
    method: 'post',
    path: '/create_app_user',
    operationId: 'createAppUser',
    tag: 'Recipient app',
    summary: 'Register a recipient and sign them in',
    input: { name: recipientName, phone_number: phoneNumber, device_name: deviceName },
    inputExample: { name: 'Dana Levi', phone_number: '0501234567', device_name: "Dana's phone" },
    responses: { 200: success('The recipient, with a token.', RecipientUser) },
  },
  async ({ app, say, input }) => {
    const signedIn = await registerRecipient(app.db, {
      name: input.name,
      phone: input.phone_number,
      deviceName: input.device_name,
    });
    if (signedIn === null) throw refuseAppFields({ phone_number: [say.taken(readable('phone_number'))] });
    return succeeded(presentSignedIn(signedIn));
  },
);

const listByPhone = defineRecipientRoute(
  {
    method: 'get',
    path: '/shipping/phone_number',
    operationId: 'listShipmentsByPhone',
    tag: 'Recipient app',
    summary: "List the shipments to the token's owner",
    description:
      "Lists shipments with the phone of the token's owner, in any spelling; no parameter extends that. Newest first; " +
      'shipments of accounts that sort by warehouse come first, by location. An explicit order replaces both. ' +
      `Filters, search and all other orders, with their \`total\`, cover the newest ${LOOKED_AT} shipments. ` +
      'Search covers billing addresses of up to 4 KiB.',
    input: LIST_INPUT,
    rules: [checkPeriod],
    responses: { 200: success('A page of shipments.', pageOf(RecipientShipmentSchema)) },
  },
  async ({ app, request, say, input, recipient }) => {
    const { page = 1, per_page: perPage = 100 } = input;
    const { baseUrl } = app.config;
    const { rows, total } = await listRecipientShipments(app.db, {
      phoneKey: phoneKey(recipient.phone),
      filter: filterOf(input),
      order: orderOf(input),
      page,
      perPage,
    });
    const shipments = rows.map((row) => presentShipment(row, baseUrl));
    return succeeded(paginate(shipments, { page, perPage, total, baseUrl, url: request.url }, say));
  },
);

export const recipientRoutes: readonly V1Route[] = [getAppUser, createAppUser, listByPhone];
