import type { StatusCode } from '../../../domain/statuses.js';
import type { Unreadable } from '../unreadable.js';

/** Every text of ours that API v1 answers with. Clients branch on statuses and fields, never on these. */
export interface Messages {
  /** Validation: `field` is the name as people read it. */
  required(field: string): string;
  wrongType(field: string, type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'): string;
  tooLong(field: string, max: number): string;
  tooShort(field: string, min: number): string;
  tooSmall(field: string, min: number): string;
  tooLarge(field: string, max: number): string;
  tooHeavy(field: string, maxKib: number): string;
  tooMany(field: string, max: number): string;
  /** `found`: packages of the shipments in the field. */
  tooManyPackages(field: string, max: number, found: number): string;
  tooFew(field: string, min: number): string;
  notListed(field: string): string;
  notADate(field: string): string;
  /** A day that is over, or more than 90 days ahead. */
  notADayToCome(field: string): string;
  notAPhone(field: string): string;
  taken(field: string): string;
  invalid(field: string): string;
  /** What follows the first message where `more` (at least 1) others were found. */
  andMore(more: number): string;
  unreadableBody(why: Unreadable): string;

  unauthenticated: string;
  tooManyAttempts: string;
  serverError: string;
  serviceUnavailable: string;
  payloadTooLarge: string;
  /** `path`: without a leading slash. */
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

  /** The license ships no orders of that status. */
  blockedStatus(status: string): string;
  /** A collection that nobody says the destination of. */
  destinationCityRequired: string;
  /** The creation goes on by itself. */
  carrierSilent: string;
  /** What of the note the carrier's field cannot hold. */
  noteCut: string;
  /** Stands on a carrier's note before a gift's text. */
  gift: string;
  previousPage: string;
  nextPage: string;

  /** A status in words. */
  status(code: StatusCode): string;
  statusUpdated: string;
  shipmentNotFound: string;
  shipmentEnded: string;
  cancellationOpen: string;
  carrierUnanswered: string;
  unknownToCarrier: string;
  orderNotFound: string;
  noActiveShipments: string;
  /** `codes`: those that were not found. */
  noShipments(codes: readonly string[]): string;
  noCarrierLabel: string;
  cityNotListed(city: string): string;
  quoteFailed: string;
  deliveryAreaClosed: string;
}

/** Languages in which the server speaks. */
export type Locale = 'en' | 'he';
