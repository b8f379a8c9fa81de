import type { Creation } from '../contracts/create-shipment.js';
import type { LicenseSummary } from '../db/queries/accounts.js';
import type { LicenseRecord } from '../db/queries/licenses.js';
import type { ListedPoint } from '../db/queries/pickup-points.js';
import type { RenderedMail } from '../documents/mails/recipient-mail.js';
import type { ExportFilter, ExportFormat, ExportRecord } from '../domain/exports.js';
import type { Place } from '../domain/pickup-points.js';
import type { OrderSnapshot, ShipmentRecord } from '../domain/shipment.js';
import type { ActivateLicenseOutcome, ActivateLicenseRequest } from './activate-license.js';
import type { BatchServices } from './batches.js';
import type { CancelShipmentRequest } from './cancel-shipment.js';
import type { ExportFile } from './export-file.js';
import type { ExpressServices } from './express.js';
import type { InboundServices } from './inbound.js';
import type { LabelServices } from './label-services.js';
import type { PreviewRequest } from './preview-notification.js';
import type { RefreshOutcome } from './refresh-status.js';
import type { ResponseLog } from './response-log.js';
import type { ShownAccount } from './show-account.js';
import type { WebhookServices } from './webhooks.js';

/** A creation as a translation layer hands it over: made by `newCreation` from a validated request. */
export interface CreateShipmentRequest {
  creation: Creation;
  order: OrderSnapshot;
  /** Whose it is, for operators. */
  merchant: string;
}

/**
 * `answered`: send status and body as they are; `replayed` where the answer had been stored before, `joined` where
 * another request did the work. `pending`: accepted, the carrier has not answered yet.
 */
export type CreateShipmentOutcome =
  | {
      kind: 'answered';
      status: number;
      body: string;
      shipmentUuid: string;
      replayed: boolean;
      joined: boolean;
    }
  | { kind: 'pending'; shipment: ShipmentRecord };

/** An export as a translation layer hands it over, validated and with its license chosen. */
export interface CreateExportRequest {
  accountId: number;
  license: LicenseSummary;
  filter: ExportFilter;
  format: ExportFormat;
}

/** Which points a caller asks for. */
export interface PickupPointsRequest {
  accountId: number;
  license: LicenseSummary;
  city?: string;
  near?: Place;
  limit: number;
}

/** What some carriers offer and others do not; API v1 asks before it validates. */
export type CarrierFeature =
  | 'sameDayQuote'
  | 'shippingPromise'
  | 'expressEnabled'
  | 'expressStatus'
  | 'pickupPoints';

/** The use cases that span several queries; both APIs translate to these. Failures are `AppError`s. */
export interface Services {
  createShipment(request: CreateShipmentRequest): Promise<CreateShipmentOutcome>;
  /** @throws AppError `not_found`, `shipment_not_cancellable`, `service_unavailable`. */
  cancelShipment(request: CancelShipmentRequest): Promise<ShipmentRecord>;
  /** Asks the carrier now; what goes wrong there leaves the stored status as it is. */
  refreshStatus(request: { accountId: number; uuid: string; timeoutMs: number }): Promise<RefreshOutcome>;
  express: ExpressServices;
  batches: BatchServices;
  labels: LabelServices;
  webhooks: WebhookServices;
  inbound: InboundServices;
  /** @throws AppError `not_supported`, `carrier_rejected`, `service_unavailable`. */
  listPickupPoints(request: PickupPointsRequest): Promise<ListedPoint[]>;
  /** @throws AppError `validation_failed` for a shipment that the license does not have. */
  previewNotification(request: PreviewRequest): Promise<RenderedMail>;
  /** Binds the license to a domain and tells the connected store sites. */
  activateLicense(request: ActivateLicenseRequest): Promise<ActivateLicenseOutcome>;
  /** Every license of the account, by ascending id, without what is secret. */
  listLicenses(accountId: number): Promise<LicenseRecord[]>;
  /** The account and its licenses; those who ask at the same time share one answer. */
  showAccount(accountId: number): Promise<ShownAccount>;
  /** Whether the carrier of that provider name offers the feature. */
  carrierOffers(provider: string, feature: CarrierFeature): boolean;
  /** Whether the carrier's notes cannot hold all that it is told of the shipment. */
  cutsNote(creation: Creation): boolean;
  responseLog: ResponseLog;
  /** @throws AppError `duplicate_request` while one is in flight, `service_unavailable`. */
  createExport(request: CreateExportRequest): Promise<ExportRecord>;
  /** The file that a link names; `ended` where the link works no more, null where it never did. */
  openExportFile(link: { fileUuid: string; filename: string }): Promise<ExportFile | 'ended' | null>;
}
