import { type FieldErrors, problemAt, type Rule, type ValuesOf } from '../domain/problems/problem.js';
import type { CollectionPlace } from '../domain/shipment.js';
import type { BookingRequest, CarrierAccount } from './contract.js';
import { lengthOf } from './text.js';

/** Maximum characters of street with number, and of a note, for carriers that publish no limits. */
export const USUAL_STREET = 150;
export const USUAL_NOTE = 500;

/** Maximum characters of fields that must not be cut, by path, for carriers that publish none. */
export const USUAL_LIMITS = { 'ship_data.city': 100, 'ship_data.contact_phone': 20 } as const;

const PHONE = 'ship_data.contact_phone';

/** Collects the reasons why the carrier cannot book a shipment, before anything is sent. */
export class BookingProblems {
  readonly errors: FieldErrors = {};

  report<R extends Rule>(path: string, rule: R, ...values: ValuesOf<R>): void {
    this.errors[path] = [...(this.errors[path] ?? []), problemAt(path, rule, ...values)];
  }

  reportIf<R extends Rule>(isWrong: boolean, path: string, rule: R, ...values: ValuesOf<R>): void {
    if (isWrong) this.report(path, rule, ...values);
  }

  /** Reports each field, by its path, whose text is empty. */
  require(texts: Readonly<Record<string, string | undefined>>): void {
    for (const [path, text] of Object.entries(texts)) {
      // Only API v1 accepts orders without a phone number.
      this.reportIf(!text, path, path === PHONE ? 'phone' : 'carrier_requires');
    }
  }

  /** Reports each field, by its path, that is longer than the carrier accepts and must not be cut. */
  fit(limits: Readonly<Record<string, number>>, texts: Readonly<Record<string, string | undefined>>): void {
    for (const [path, maxLength] of Object.entries(limits)) {
      const isTooLong = lengthOf(texts[path] ?? '') > maxLength;
      this.reportIf(isTooLong, path, 'carrier_most', { limit: maxLength });
    }
  }

  /** Reports cash on delivery that the account is not set up for, or in an unsupported currency. */
  cash({ cod }: BookingRequest['shipment'], codType: string | number | undefined): void {
    if (cod === null) return;
    const hasService = codType !== undefined;
    this.reportIf(!hasService, 'ship_data.cod_amount', 'account_without_cash');
    this.reportIf(cod.currency !== 'ILS', 'order.currency', 'carrier_currency');
  }
}

/** A check that needs the account's settings. It reports nothing when they are invalid; booking fails on that. */
export function checkedWith<C>(
  readConfig: (account: CarrierAccount) => C | null,
  check: (request: BookingRequest, config: C, collectFrom: CollectionPlace) => FieldErrors,
): (request: BookingRequest, account: CarrierAccount) => FieldErrors {
  return (request, account) => {
    const config = readConfig(account);
    return config === null ? {} : check(request, config, account.collectFrom);
  };
}
