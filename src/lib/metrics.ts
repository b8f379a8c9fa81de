import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The figures of this process. No label holds an id, a name of a person or a path. */
export const metrics = new Registry();

const registers = [metrics];

/** Adds memory, processor time and event loop lag of the process. Call once, where they are asked for. */
export function measureProcess(): void {
  collectDefaultMetrics({ register: metrics });
}

/** `route`: as in the access log, `none` where no route has the path. `status`: `2xx` …, or `aborted` by the caller. */
export const httpRequests = new Counter({
  name: 'parcelworks_http_requests_total',
  help: 'Answered requests.',
  labelNames: ['api', 'route', 'status'],
  registers,
});

export const httpSeconds = new Histogram({
  name: 'parcelworks_http_request_seconds',
  help: 'Time from the head of a request to the end of its answer.',
  labelNames: ['api', 'route'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

/** Creations by the answer that callers, and the items of batches, got. */
export const creations = new Counter({
  name: 'parcelworks_creations_total',
  help: 'Creations by what their callers got.',
  labelNames: ['carrier', 'outcome'],
  registers,
});

/** `outcome`: `in`, `wrong` e-mail or password, `wrong_code` after a right password, `no_more_codes` for the day. */
export const panelSignIns = new Counter({
  name: 'parcelworks_panel_sign_ins_total',
  help: 'Tries to sign in to the panel by what came of them.',
  labelNames: ['outcome'],
  registers,
});

/** `reason`: `limit` of the license's mails in a day, or `stopped` by the recipient. */
export const mailsDropped = new Counter({
  name: 'parcelworks_mails_dropped_total',
  help: 'Mails to recipients that were not sent, by why.',
  labelNames: ['reason'],
  registers,
});
// The first one counts only from a figure that is there before it.
for (const reason of ['limit', 'stopped']) mailsDropped.inc({ reason }, 0);

/** `outcome`: as what a shipment was written again, see `RestoredShipment`. */
export const restoredShipments = new Counter({
  name: 'parcelworks_restored_shipments_total',
  help: 'Shipments that the database had lost and that were written again from their runs.',
  labelNames: ['outcome'],
  registers,
});

/** `outcome`: the kinds of the carriers' contract. */
export const carrierCallSeconds = new Histogram({
  name: 'parcelworks_carrier_call_seconds',
  help: 'Time of an operation of a carrier, with all of its requests.',
  labelNames: ['carrier', 'operation', 'outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
  registers,
});

/** How full something is, and how much waits for room; read at each scrape. */
export interface Capacity {
  readonly used: number;
  readonly limit: number;
  readonly waiting?: number;
}

const capacities = new Map<string, Capacity>();

/** Shows a capacity under its name in docs/configure.md. One of the same name replaces it. */
export function showCapacity(name: string, capacity: Capacity): void {
  capacities.set(name, capacity);
}

function capacityGauge(of: keyof Capacity, help: string): void {
  new Gauge({
    name: `parcelworks_capacity_${of}`,
    help,
    labelNames: ['capacity'],
    registers,
    collect() {
      for (const [name, { [of]: value }] of capacities) {
        if (value !== undefined) this.set({ capacity: name }, value);
      }
    },
  });
}

capacityGauge('used', 'How much of a capacity of docs/configure.md is in use.');
capacityGauge('limit', 'The whole of that capacity.');
capacityGauge('waiting', 'How many wait for room in it, where they wait.');

export const mysqlTakesWrites = new Gauge({
  name: 'parcelworks_mysql_takes_writes',
  help: 'Whether the MySQL that this process reaches takes writes; absent where it does not answer.',
  registers,
});

export const clockAhead = new Gauge({
  name: 'parcelworks_clock_ahead_seconds',
  help: "How far the clock of this process is ahead of MySQL's; absent where it does not answer.",
  registers,
});

/** `variable`: the one that names the file. */
export const certificateEnds = new Gauge({
  name: 'parcelworks_certificate_ends_timestamp_seconds',
  help: 'When a certificate that the environment names ends.',
  labelNames: ['variable'],
  registers,
});

/** A gauge of the whole service, which every process that shows it shows alike: take `max`, not `sum`. */
export function serviceGauge<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
): Gauge<L> {
  return new Gauge({ name: `parcelworks_${name}`, help, labelNames: [...labelNames], registers });
}
