import { DAYS_AHEAD } from '../../../domain/collect-day.js';
import { type StatusCode, statusName } from '../../../domain/statuses.js';
import type { Unreadable } from '../unreadable.js';

const TYPES = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an array',
} as const;

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  type: 'its Content-Type must be application/json or application/x-www-form-urlencoded.',
  coding: 'it must come without Content-Encoding.',
  charset: 'it must be in UTF-8.',
  json: 'it is not a valid JSON object.',
  depth: 'it is nested too deeply.',
};

/**
 * All texts of API v1, in English. Clients branch on statuses and fields, never on these. `field`: its readable name.
 * `path`: without leading slash.
 */
export const en = {
  required: (field: string) => `The ${field} field is required.`,
  wrongType: (field: string, type: keyof typeof TYPES) => `The ${field} field must be ${TYPES[type]}.`,
  tooLong: (field: string, max: number) => `The ${field} field must not be greater than ${max} characters.`,
  tooShort: (field: string, min: number) => `The ${field} field must be at least ${min} characters.`,
  tooSmall: (field: string, min: number) => `The ${field} field must be at least ${min}.`,
  tooLarge: (field: string, max: number) => `The ${field} field must not be greater than ${max}.`,
  tooHeavy: (field: string, maxKib: number) =>
    `The ${field} field must not be greater than ${maxKib} kilobytes.`,
  tooMany: (field: string, max: number) => `The ${field} field must not have more than ${max} items.`,
  /** `found`: number of packages in the named shipments. */
  tooManyPackages: (field: string, max: number, found: number) =>
    `The ${field} field must not have more than ${max} packages in all; these have ${found}.`,
  tooFew: (field: string, min: number) => `The ${field} field must have at least ${min} items.`,
  notListed: (field: string) => `The selected ${field} is invalid.`,
  /** A day that has passed, or is more than 90 days ahead. */
  notADayToCome: (field: string) =>
    `The ${field} field must be a day from yesterday to ${DAYS_AHEAD} days ahead.`,
  notAPhone: (field: string) => `The ${field} field must hold a number that can be dialled.`,
  notADate: (field: string) => `The ${field} field must be a valid date.`,
  taken: (field: string) => `The ${field} has already been taken.`,
  invalid: (field: string) => `The ${field} field is invalid.`,
  /** Appended to the first message for `more` (at least 1) further ones. */
  andMore: (more: number) => ` (and ${more} more ${more === 1 ? 'error' : 'errors'})`,
  unreadableBody: (why: Unreadable) => `The request body could not be read: ${UNREADABLE[why]}`,

  unauthenticated: 'Unauthenticated.',
  tooManyAttempts: 'Too Many Attempts.',
  serverError: 'Server Error',
  serviceUnavailable: 'Service Unavailable',
  payloadTooLarge: 'The request body is too large.',
  routeNotFound: (path: string) => `The route ${path} could not be found.`,
  methodNotAllowed: (method: string, path: string, allowed: string) =>
    `The ${method} method is not supported for route ${path}. Supported methods: ${allowed}.`,

  invalidLicenseKey: 'Invalid License Key',
  licenseDeactivated: 'License key has been deactivated',
  licenseValid: 'License key is valid',
  premiumUnsupported: 'Premium companies are not supported in this version of plugin',
  premiumRequired: 'You must be a premium member to use this company',
  notSupportedForProvider: 'Not supported for this provider',
  invalidAppSecret: 'Invalid Secret Key',
  userNotFound: 'User not found',
  /** The license does not ship orders in that status. */
  blockedStatus: (status: string) => `Orders with the status ${status} are not shipped.`,
  /** A collection without destination. */
  destinationCityRequired: 'The destination city field is required.',
  /** The carrier has not answered in time; the creation continues. */
  carrierSilent: 'The carrier has not answered yet. Send the request again to get the result.',
  /** Warns that a repeat got a parcel that is cancelled. `time`: of day in Israel. */
  cancelledRepeat: (time: string) =>
    `This parcel is cancelled: no courier comes. A new one of the order can be made after ${time}.`,
  /** Warns that the note exceeds the carrier's field. */
  noteCut:
    "The note is longer than the carrier's field: the courier gets its beginning, the label has all of it.",
  /** Warns that the carrier gets a country that is none. */
  unknownCountry: (country: string) =>
    `The order's country, ${country}, is none that we know: the carrier gets it as written.`,
  /** Precedes a gift's text in a carrier's note. */
  gift: 'Gift',

  previousPage: '&laquo; Previous',
  nextPage: 'Next &raquo;',
  status: (code: StatusCode): string => statusName(code),
  statusUpdated: 'The status was updated',
  shipmentNotFound: 'Shipment not found',
  shipmentEnded: 'The shipment has reached its end and cannot be cancelled',
  cancellationOpen: 'The carrier has not answered the cancellation yet',
  carrierUnanswered: 'The carrier did not answer',
  unknownToCarrier: 'The carrier does not know this shipment',
  orderNotFound: 'Order not found',
  noActiveShipments: 'No active shippings found for this order',
  /** `codes`: unknown tracking codes. */
  noShipments: (codes: readonly string[]) => `No shipments found: ${codes.join(', ')}`,
  noCarrierLabel: 'Invalid response from shipping company',
  cityNotListed: (city: string) => `City ${city} is not in location list`,
  quoteFailed: 'Error Retrieving Quote',
  deliveryAreaClosed: 'Delivery area will be closed at the requested delivery time',
};
