import { workflowIds } from '../../contracts/ids.js';
import type { Executor } from '../../db/database.js';
import {
  type FoundShipment,
  findShipmentsNamed,
  getStoryShipment,
  listStoryAttempts,
  listStoryDeliveries,
  listStoryEvents,
  listStoryMails,
  type StoryShipment,
} from '../../db/queries/shipments/parcel-story.js';
import { statusName } from '../../domain/statuses.js';
import { hostOf } from '../../domain/webhook-host.js';
import { runsLink, runsWith, type TemporalUi } from '../../lib/temporal-ui.js';

interface StorySources {
  db: Executor;
  temporalUi: TemporalUi;
  /** URL of a parcel's public tracking page. */
  trackingPage: (shortTrackingCode: string) => string;
}

/**
 * The history of a parcel by uuid, tracking code, or the order's id or number. `several`: the matching
 * shipments, newest first; null when there is none.
 */
export async function tellParcel(deps: StorySources, name: string) {
  const found = await findShipmentsNamed(deps.db, name);
  const [first] = found;
  if (first === undefined) return null;
  if (found.length === 1) return { kind: 'one' as const, story: await storyOf(deps, first.id) };
  return { kind: 'several' as const, shipments: found.map(lineOf) };
}

function lineOf(shipment: FoundShipment) {
  const { uuid, merchant, carrier, order, trackingCode, createdAt } = shipment;
  return { uuid, createdAt, merchant, carrier, order, trackingCode, status: inWords(shipment) };
}

async function storyOf({ db, temporalUi, trackingPage }: StorySources, id: number) {
  const shipment = await getStoryShipment(db, id);
  const { uuid, merchant, license, carrier, order, orderNumber, trackingCode } = shipment;
  const [attempts, history, mails, deliveries] = await Promise.all([
    listStoryAttempts(db, uuid),
    listStoryEvents(db, id),
    listStoryMails(db, id),
    listStoryDeliveries(db, shipment.id),
  ]);
  return {
    uuid,
    merchant,
    license,
    carrier,
    order,
    orderNumber,
    trackingCode,
    status: inWords(shipment),
    createdAt: shipment.createdAt,
    deliveredAt: shipment.deliveredAt,
    cancellation: cancellationOf(shipment, history),
    trackingPage: shipment.state === 'refused' ? null : trackingPage(shipment.shortTrackingCode),
    label: shipment.labelGenerated ? 'made' : 'not made yet',
    ...runsOf(shipment, temporalUi),
    bookingAttempts: attempts,
    history,
    mails,
    webhooks: deliveries.map(({ url, responseStatus, error, ...delivery }) => ({
      ...delivery,
      host: hostOf(url),
      lastAnswer: error ?? (responseStatus === null ? null : `HTTP ${responseStatus}`),
    })),
  };
}

function inWords({ state, isUnclaimed, isRefusedLast, status, description }: FoundShipment): string {
  if (isUnclaimed) return `Booked, and nobody's: ${description}`;
  if (state === 'refused') return `Refused, nothing is booked: ${description}`;
  if (state === 'created') {
    if (status === 'needs_attention') return `May be cancelled, waits for a person: ${description}`;
    const name = statusName(status);
    return description === name ? name : `${name}: ${description}`;
  }
  if (status === 'needs_attention') return `Waits for a decision (admin resolve): ${description}`;
  if (isRefusedLast) return 'Refused; being asked for a minute whether an earlier call was booked';
  return 'Being booked: the carrier has not answered yet';
}

function cancellationOf(
  { cancelledAt }: StoryShipment,
  history: Awaited<ReturnType<typeof listStoryEvents>>,
): string | null {
  if (cancelledAt === null) return null;
  // The reason follows the carrier's own text.
  const event = history.findLast(({ status }) => status === 'cancelled');
  return `${cancelledAt} ${event?.description ?? ''}`.trimEnd();
}

/** Links to the runs that created and cancelled the parcel, and to all runs of its order. */
function runsOf({ workflowId, uuid, order, cancelledAt }: StoryShipment, temporalUi: TemporalUi) {
  const query = runsWith('OrderId', order);
  return {
    workflowId,
    ...(cancelledAt === null ? {} : { cancelWorkflowId: workflowIds.cancelShipment(uuid) }),
    ...(temporalUi.url === null
      ? { temporalQuery: query }
      : {
          run: runsLink(temporalUi, runsWith('WorkflowId', workflowId)),
          runsOfOrder: runsLink(temporalUi, query),
        }),
  };
}
