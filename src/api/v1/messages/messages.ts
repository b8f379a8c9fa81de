import type { StatusCode } from '../../../domain/statuses.js';
import type { Unreadable } from '../unreadable.js';

/** All texts of API v1. Clients branch on statuses and fields, never on these. */
export interface Messages {
  /** Validation messages. `field`: its readable name. */
  required(field: string): string;
  wrongType(field: string, type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'): string;
  tooLong(field: string, max: number): string;
  tooShort(field: string, min: number): string;
  tooSmall(field: string, min: number): string;
  tooLarge(field: string, max: number): string;
  tooHeavy(field: string, maxKib: number): string;
  tooMany(field: string, max: number): string;
  /** `found`: number of packages in the named shipments. */
  tooManyPackages(field: string, max: number, found: number): string;
  tooFew(field: string, min: number): string;
  notListed(field: string): string;
  notADate(field: string): string;
  /** A day that has passed, or is more than 90 days ahead. */
  notADayToCome(field: string): string;
  notAPhone(field: string): string;
  taken(field: string): string;
  invalid(field: string): string;
  /** Appended to the first message for `more` (at least 1) further ones. */
  andMore(more: number): string;
  unreadableBody(why: Unreadable): string;

  unauthenticated: string;
  tooManyAttempts: string;
  serverError: string;
  serviceUnavailable: string;
  payloadTooLarge: string;
  /** `path`: without leading slash. */
  routeNotFound(path: string): string;
  methodNotAllowed(method: string, path: string, allowed: string): string;

  invalidLicenseKey: string;
  licenseDeactivated: string;
  licenseValid: string;
  premiumUnsupported: string;
  premiumRequired: string;
  notSupportedForProvider: string;
  invalidAppSecret: string;
  userNotFound: string;

  /** The license does not ship orders in that status. */
  blockedStatus(status: string): string;
  /** A collection without destination. */
  destinationCityRequired: string;
  /** The carrier has not answered in time; the creation continues. */
  carrierSilent: string;
  /** Warns that the note exceeds the carrier's field. */
  noteCut: string;
  /** Precedes a gift's text in a carrier's note. */
  gift: string;
  previousPage: string;
  nextPage: string;

  /** Name of a status. */
  status(code: StatusCode): string;
  statusUpdated: string;
  shipmentNotFound: string;
  shipmentEnded: string;
  cancellationOpen: string;
  carrierUnanswered: string;
  unknownToCarrier: string;
  orderNotFound: string;
  noActiveShipments: string;
  /** `codes`: unknown tracking codes. */
  noShipments(codes: readonly string[]): string;
  noCarrierLabel: string;
  cityNotListed(city: string): string;
  quoteFailed: string;
  deliveryAreaClosed: string;
}

/** Languages of the messages. */
export type Locale = 'en' | 'he';
