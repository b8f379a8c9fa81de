import { randomUUID } from 'node:crypto';
import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import type { LabelContext } from '../src/carriers/contract.js';
import type { ParcelAtCarrier } from '../src/contracts/cancel-shipment.js';
import { LABEL_FAILURES } from '../src/contracts/render-labels.js';
import { findParcel } from '../src/db/queries/creation/cancelling.js';
import { findCarrierLabel, insertCarrierLabel, markLabelled } from '../src/db/queries/labels/labels.js';
import { carrierLabelKey } from '../src/documents/labels/stored.js';
import type { createPdfPageCounter } from '../src/documents/pdf-reader.js';
import { problem } from '../src/domain/problems/problem.js';
import { LIMITS } from '../src/lib/limits/values.js';
import { nowIso } from '../src/lib/time.js';
import type { App } from '../src/services/app.js';
import { SETTINGS_UNREADABLE } from '../src/services/carriers/carrier-accounts.js';
import type { CarrierApp } from './carrier-slots.js';
import { withHeartbeat } from './heartbeat.js';
import { retry } from './next-try.js';
import { CREDENTIALS_REFUSED, readableAccount } from './readable-account.js';

export type LabelApp = Pick<CarrierApp, 'db' | 'carriers' | 'accounts' | 'slotsFor'> &
  Pick<LabelContext, 'elsewhere'> &
  Pick<App, 'storage'> & { countPdfPages: ReturnType<typeof createPdfPageCounter> };

/** Fetches a parcel's label, checks that it is a readable PDF, and stores it. Repeatable: finds the stored one. */
export function createFetchLabelActivity(app: LabelApp) {
  return async function fetchLabel(input: ParcelAtCarrier): Promise<{ documentUuid: string; bytes: number }> {
    const { accountId, shipmentUuid } = input;
    const parcel = await findParcel(app.db, { accountId, shipmentUuid });
    if (parcel === null) throw refusal(LABEL_FAILURES.gone, 'The shipment is not booked.');
    const shipmentId = parcel.id;
    const known = await findCarrierLabel(app.db, { accountId, shipmentId });
    if (known !== null && (await app.storage.read(carrierLabelKey(known.uuid))) !== null) {
      return { documentUuid: known.uuid, bytes: known.bytes };
    }
    const pdf = await withHeartbeat(() => ask(app, input, parcel));
    const uuid = known?.uuid ?? randomUUID();
    // The file first: a row without its file would be a dead link.
    await app.storage.write(carrierLabelKey(uuid), pdf, 'application/pdf');
    await insertCarrierLabel(app.db, { uuid, accountId, shipmentId, bytes: pdf.length });
    await markLabelled(app.db, { accountId, shipmentIds: [shipmentId], at: nowIso() });
    const kept = await findCarrierLabel(app.db, { accountId, shipmentId });
    return { documentUuid: kept?.uuid ?? uuid, bytes: pdf.length };
  };
}

async function ask(
  app: LabelApp,
  input: ParcelAtCarrier,
  parcel: { reference: string; trackingCode: string; carrierReference: string | null },
): Promise<Buffer> {
  const adapter = app.carriers(input.provider);
  const fetch = adapter.label?.bind(adapter);
  if (fetch === undefined) throw refusal(LABEL_FAILURES.refused, 'The carrier makes no labels.');
  const account = await readableAccount(app, input);
  if (account === null) throw refusal(LABEL_FAILURES.refused, SETTINGS_UNREADABLE);
  const context = { account, signal: cancellationSignal(), elsewhere: app.elsewhere };
  const outcome = await app.slotsFor(adapter, account)(() => fetch(parcel, context));
  switch (outcome.kind) {
    case 'accepted': {
      const pdf = Buffer.from(outcome.value);
      const isLarge = pdf.length > LIMITS.carriers.labelBytes;
      const pages = isLarge ? null : await app.countPdfPages(pdf, input.provider);
      if (typeof pages === 'number') return pdf;
      const why = problem(pages === 'locked' ? 'label_locked' : 'label_unprintable');
      throw refusal(LABEL_FAILURES.refused, why.text);
    }
    case 'rejected':
      throw refusal(LABEL_FAILURES.refused, outcome.text);
    case 'unauthorized':
      throw refusal(LABEL_FAILURES.refused, CREDENTIALS_REFUSED);
    default:
      throw retry('CarrierUnavailable', outcome.text);
  }
}

function refusal(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, type);
}
