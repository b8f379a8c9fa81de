import type { LabelOptions, LabelType } from '../domain/labels.js';

/** Where a shipment's label is. */
export interface LabelReference {
  url: string;
  labelType: LabelType;
  source: 'builtin' | 'carrier';
}

/** A PDF; `etag` changes with every byte. `name`: of the file, `label-<tracking code>.pdf` or `labels-<number>.pdf`. */
export interface LabelPdf {
  name: string;
  body: Buffer;
  etag: string;
}

/** A page of labels; `etag` changes with every byte. */
export type LabelHtml = Pick<LabelPdf, 'body' | 'etag'>;

/** What a caller may choose at a label's own address; what is left out is as the set has it. */
export type LabelChoice = Partial<Pick<LabelOptions, 'position' | 'sort' | 'direction'>>;

/** Shipments whose labels are asked for together. */
export interface LabelSetRequest {
  accountId: number;
  /** Left out where the shipments were chosen already; then they may be any of the account. */
  licenseId?: number;
  /** Uuids in lower case. */
  shipments: readonly string[];
  options: LabelOptions;
}

/** Everything about labels; failures are `AppError`s. */
export interface LabelServices {
  /** Makes the label if there is none yet. @throws AppError `not_found`, `carrier_rejected`, `service_unavailable`. */
  ofShipment(request: { accountId: number; uuid: string }): Promise<LabelReference>;
  /**
   * The address alone; null where the carrier makes the label and gave none, or none in time.
   * @throws AppError `not_found`, `service_unavailable`.
   */
  urlOfShipment(request: { accountId: number; uuid: string }): Promise<string | null>;
  /** The same as a PDF. */
  pdfOfShipment(request: { accountId: number; uuid: string }): Promise<LabelPdf>;
  /** One document for all, by our renderer. @throws AppError `validation_failed`, `service_unavailable`. */
  ofSet(request: LabelSetRequest): Promise<{ url: string; count: number }>;
  /** What the address `/shipping/label/<uuid>` shows. @throws AppError `not_found`, `service_unavailable`. */
  printed(uuid: string, choice: LabelChoice): Promise<LabelPdf>;
  /** The same as HTML. @throws AppError `not_found`, `validation_failed` for more labels than a page can hold. */
  html(uuid: string, choice: LabelChoice): Promise<LabelHtml>;
  /** What the address `/storage/document/<uuid>.pdf` shows. @throws AppError `not_found`. */
  stored(uuid: string): Promise<LabelPdf>;
}
