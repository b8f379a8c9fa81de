import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A booked parcel. */
export interface Parcel {
  reference: string;
  code: string;
  /** The parcel's second, random code. */
  random: string;
  customer: string;
  /** Booking requests with this reference, including the first. */
  requests: number;
  bookedAt: string;
  cancelled: boolean;
  /** The decoded request fields. */
  request: Record<string, unknown>;
  /** Events, oldest first: our status or the carrier's code, and the time in ms. */
  events: { status: string; atMs: number }[];
}

/** All booked parcels, in memory and, with a file, written to it before the answer. */
export class Ledger {
  readonly #byCode = new Map<string, Parcel>();
  readonly #byReference = new Map<string, Parcel>();
  readonly #file: string | undefined;
  #nextCode = 10_000_000 + Math.floor(Math.random() * 80_000_000);

  constructor(file: string | undefined) {
    this.#file = file;
    if (file === undefined) return;
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) this.#restore(line);
  }

  /** All parcels by booking order. */
  get parcels(): Parcel[] {
    return [...this.#byCode.values()];
  }

  /** Books a parcel; a repeated reference makes a second one. */
  book(reference: string, customer: string, nowMs: number, request: Record<string, unknown> = {}): Parcel {
    const parcel: Parcel = {
      reference,
      code: String(this.#nextCode),
      random: String(Math.floor(1e9 + Math.random() * 9e9)),
      customer,
      requests: 1,
      bookedAt: new Date(nowMs).toISOString(),
      cancelled: false,
      request,
      events: [{ status: 'created', atMs: Math.floor(nowMs / 1000) * 1000 }],
    };
    this.save(parcel);
    return parcel;
  }

  byCode(code: string): Parcel | undefined {
    return this.#byCode.get(code);
  }

  /** Finds a parcel by either code. */
  byAnyCode(code: string): Parcel | undefined {
    return this.#byCode.get(code) ?? this.parcels.find((parcel) => parcel.random === code);
  }

  /** The first parcel with the reference. */
  byReference(reference: string): Parcel | undefined {
    return this.#byReference.get(reference);
  }

  /** Saves a changed parcel. */
  save(parcel: Parcel): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(parcel)}\n`);
    this.#keep(parcel);
  }

  #keep(parcel: Parcel): void {
    this.#byCode.set(parcel.code, parcel);
    const first = this.#byReference.get(parcel.reference);
    if (first === undefined || first.code === parcel.code) this.#byReference.set(parcel.reference, parcel);
    this.#nextCode = Math.max(this.#nextCode, Number(parcel.code) + 1);
  }

  /** A kill may have cut the last line. */
  #restore(line: string): void {
    try {
      const parcel: unknown = JSON.parse(line);
      if (isParcel(parcel)) this.#keep(parcel);
    } catch {
      return;
    }
  }
}

/** As if the parcel had been booked then. */
export function dateBooking(parcel: Parcel, atMs: number): void {
  parcel.bookedAt = new Date(atMs).toISOString();
  const [booking] = parcel.events;
  if (booking !== undefined) booking.atMs = Math.floor(atMs / 1000) * 1000;
}

function isParcel(value: unknown): value is Parcel {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    'reference' in value &&
    'events' in value &&
    Array.isArray(value.events)
  );
}
