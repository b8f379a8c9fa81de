import { type LicenseHealth, listCarrierHealth } from '../../db/queries/carriers/carrier-health.js';
import { countOpenShipments } from '../../db/queries/open-work.js';
import { LIMITS } from '../../lib/limits/values.js';
import type { App } from '../app.js';

/** How a carrier does. */
export interface CarrierHealth {
  provider: string;
  name: string;
  /** Bookings that were asked for in the last hour, by their outcome. */
  hour: LicenseHealth['hour'];
  day: LicenseHealth['day'];
  /** Median of its answers in the last day; null without one. */
  typicalMs: number | null;
  /** ISO 8601 UTC; null where none was booked in the last day. */
  lastSuccessAt: string | null;
  /** Bookings without an answer so far, and those that wait for a person. */
  pending: number;
  oldestPendingSeconds: number;
  needsAttention: number;
  oldestNeedsAttentionSeconds: number;
  /** Licenses of which something was refused, not sent or not answered in the last day, worst first. */
  troubled: LicenseHealth[];
  /** The first booking that counts, where a day has more than are counted; else null. */
  countedSince: string | null;
}

const OUTCOMES = ['asked', 'accepted', 'rejected', 'notSent', 'unknown', 'sending'] as const;

/** Each carrier that this version knows, by its booking attempts of the last hour and day and what waits for it. */
export async function carriersHealth({
  db,
  adapters,
}: Pick<App, 'db' | 'adapters'>): Promise<CarrierHealth[]> {
  const { attempts: limit } = LIMITS.panel;
  const [licenses, open] = await Promise.all([listCarrierHealth(db, { limit }), countOpenShipments(db)]);
  const isCut = sum(licenses.map(({ day }) => day)).asked >= limit;
  const [firstAt = null] = licenses.map((one) => one.firstAt).sort();
  return adapters.map(({ provider, displayName }) => {
    const own = licenses.filter((one) => one.provider === provider);
    const waiting = (status: string) =>
      open.find((one) => one.provider === provider && one.status === status);
    const pending = waiting('pending');
    const attention = waiting('needs_attention');
    const [lastSuccessAt = null] = own
      .flatMap((one) => one.lastSuccessAt ?? [])
      .sort()
      .reverse();
    return {
      provider,
      name: displayName,
      hour: sum(own.map(({ hour }) => hour)),
      day: sum(own.map(({ day }) => day)),
      typicalMs: own.find(({ typicalMs }) => typicalMs !== null)?.typicalMs ?? null,
      lastSuccessAt,
      pending: pending?.count ?? 0,
      oldestPendingSeconds: pending?.oldestSeconds ?? 0,
      needsAttention: attention?.count ?? 0,
      oldestNeedsAttentionSeconds: attention?.oldestSeconds ?? 0,
      troubled: troubledOf(own),
      countedSince: isCut ? firstAt : null,
    };
  });
}

function sum(periods: readonly LicenseHealth['day'][]): LicenseHealth['day'] {
  const total = { asked: 0, accepted: 0, rejected: 0, notSent: 0, unknown: 0, sending: 0 };
  for (const one of periods) for (const outcome of OUTCOMES) total[outcome] += one[outcome];
  return total;
}

function troubledOf(licenses: readonly LicenseHealth[]): LicenseHealth[] {
  const trouble = ({ day }: LicenseHealth) => day.rejected + day.notSent + day.unknown;
  return licenses
    .filter((one) => trouble(one) > 0)
    .sort((one, other) => trouble(other) - trouble(one))
    .slice(0, LIMITS.panel.pageRows);
}
