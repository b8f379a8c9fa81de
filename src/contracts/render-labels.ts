import type { LabelOptions } from '../domain/labels.js';

export interface RenderLabelsInput {
  accountId: number;
  /** Uuid of the label set. */
  labelSetUuid: string;
  options: LabelOptions;
  /**
   * Public address of the API, for the QR code. The caller's value: a worker configured differently would print
   * under another hash.
   */
  baseUrl: string;
  /** SHA-256 of the printed content, in hex. */
  contentHash: string;
  /** Number of labels. */
  labels: number;
  /** The shipment, when there is only one. */
  shipmentUuid: string | null;
  /** Names for operators. */
  about?: LabelsAbout;
}

/** Names of a printing run for operators. */
export interface LabelsAbout {
  merchant: string;
  /** The only shipment; null for several. */
  one: { carrier: string; orderId: string } | null;
}

/** The printed content. `contentHash` differs from the requested one when an order changed meanwhile. */
export interface RenderLabelsResult {
  contentHash: string;
  /** Hash in the store: of the content with the logo as it was available. */
  printHash: string;
  labels: number;
  bytes: number;
}

/** Failure types of `renderLabels` and `fetchCarrierLabel`, each with one HTTP answer. */
export const LABEL_FAILURES = {
  /** The set or shipment does not exist, or is not booked. */
  gone: 'LabelSourceGone',
  /** The carrier has no label; the message is its text. */
  refused: 'CarrierGaveNoLabel',
  /** The worker has no browser to print with. */
  noBrowser: 'NoBrowser',
} as const;
