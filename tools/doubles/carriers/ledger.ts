import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A parcel that the sandbox has really booked. */
export interface Parcel {
  reference: string;
  code: string;
  /** The second, random code of the parcel. */
  random: string;
  customer: string;
  /** Booking requests seen with this reference while the parcel existed, the first included. */
  requests: number;
  bookedAt: string;
  cancelled: boolean;
  /** The decoded fields that the carrier was told. */
  request: Record<string, unknown>;
  /** Status events, oldest first: our status name or the carrier's own code, and the instant in ms. */
  events: { status: string; atMs: number }[];
}

/** Every parcel booked, kept in memory and, when a file is given, journalled before anything is answered. */
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

  /** All parcels in the order of booking. */
  get parcels(): Parcel[] {
    return [...this.#byCode.values()];
  }

  /** Books a parcel; a reference that is booked already gets a second parcel. */
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

  /** By either of the parcel's two codes. */
  byAnyCode(code: string): Parcel | undefined {
    return this.#byCode.get(code) ?? this.parcels.find((parcel) => parcel.random === code);
  }

  /** The parcel first booked with the reference. */
  byReference(reference: string): Parcel | undefined {
    return this.#byReference.get(reference);
  }

  /** Keeps a changed parcel. */
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

  /** The last line may be cut short where the process was killed. */
  #restore(line: string): void {
    try {
      const parcel: unknown = JSON.parse(line);
      if (isParcel(parcel)) this.#keep(parcel);
    } catch {
      return;
    }
  }
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
