import { COLLECT_DAY_RULE } from '../../../domain/collect-day.js';
import { statusName } from '../../../domain/statuses.js';
import type { Messages } from './messages.js';

const TYPES = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an array',
} as const;

const UNREADABLE = {
  type: 'its Content-Type must be application/json or application/x-www-form-urlencoded.',
  coding: 'it must come without Content-Encoding.',
  charset: 'it must be in UTF-8.',
  json: 'it is not a valid JSON object.',
  depth: 'it is nested too deeply.',
} as const;

export const en: Messages = {
  required: (field) => `The ${field} field is required.`,
  wrongType: (field, type) => `The ${field} field must be ${TYPES[type]}.`,
  tooLong: (field, max) => `The ${field} field must not be greater than ${max} characters.`,
  tooShort: (field, min) => `The ${field} field must be at least ${min} characters.`,
  tooSmall: (field, min) => `The ${field} field must be at least ${min}.`,
  tooLarge: (field, max) => `The ${field} field must not be greater than ${max}.`,
  tooHeavy: (field, maxKib) => `The ${field} field must not be greater than ${maxKib} kilobytes.`,
  tooMany: (field, max) => `The ${field} field must not have more than ${max} items.`,
  tooManyPackages: (field, max, found) =>
    `The ${field} field must not have more than ${max} packages in all; these have ${found}.`,
  tooFew: (field, min) => `The ${field} field must have at least ${min} items.`,
  notListed: (field) => `The selected ${field} is invalid.`,
  notADayToCome: (field) => `The ${field} field ${COLLECT_DAY_RULE}.`,
  notAPhone: (field) => `The ${field} field must hold a number that can be dialled.`,
  notADate: (field) => `The ${field} field must be a valid date.`,
  taken: (field) => `The ${field} has already been taken.`,
  invalid: (field) => `The ${field} field is invalid.`,
  andMore: (more) => ` (and ${more} more ${more === 1 ? 'error' : 'errors'})`,
  unreadableBody: (why) => `The request body could not be read: ${UNREADABLE[why]}`,

  unauthenticated: 'Unauthenticated.',
  tooManyAttempts: 'Too Many Attempts.',
  serverError: 'Server Error',
  serviceUnavailable: 'Service Unavailable',
  payloadTooLarge: 'The request body is too large.',
  routeNotFound: (path) => `The route ${path} could not be found.`,
  methodNotAllowed: (method, path, allowed) =>
    `The ${method} method is not supported for route ${path}. Supported methods: ${allowed}.`,

  invalidLicenseKey: 'Invalid License Key',
  licenseDeactivated: 'License key has been deactivated',
  licenseValid: 'License key is valid',
  premiumUnsupported: 'Premium companies are not supported in this version of plugin',
  premiumRequired: 'You must be a premium member to use this company',
  notSupportedForProvider: 'Not supported for this provider',
  invalidAppSecret: 'Invalid Secret Key',
  userNotFound: 'User not found',
  blockedStatus: (status) => `Orders with the status ${status} are not shipped.`,
  destinationCityRequired: 'The destination city field is required.',
  carrierSilent: 'The carrier has not answered yet. Send the request again to get the result.',
  noteCut:
    "The note is longer than the carrier's field: the courier gets its beginning, the label has all of it.",
  gift: 'Gift',

  previousPage: '&laquo; Previous',
  nextPage: 'Next &raquo;',
  status: statusName,
  statusUpdated: 'The status was updated',
  shipmentNotFound: 'Shipment not found',
  shipmentEnded: 'The shipment has reached its end and cannot be cancelled',
  cancellationOpen: 'The carrier has not answered the cancellation yet',
  carrierUnanswered: 'The carrier did not answer',
  unknownToCarrier: 'The carrier does not know this shipment',
  orderNotFound: 'Order not found',
  noActiveShipments: 'No active shippings found for this order',
  noShipments: (codes) => `No shipments found: ${codes.join(', ')}`,
  noCarrierLabel: 'Invalid response from shipping company',
  cityNotListed: (city) => `City ${city} is not in location list`,
  quoteFailed: 'Error Retrieving Quote',
  deliveryAreaClosed: 'Delivery area will be closed at the requested delivery time',
};
