import type { LabelOptions } from '../domain/labels.js';

/** Input of the workflow `renderLabels`. */
export interface RenderLabelsInput {
  accountId: number;
  /** The set of shipments whose labels are printed, by the uuid in its address. */
  labelSetUuid: string;
  options: LabelOptions;
  /**
   * Public address of the API, for the link in the QR code. The caller's: a worker that was told another one would
   * print what the caller does not look for.
   */
  baseUrl: string;
  /** SHA-256 in hex of what goes on paper. */
  contentHash: string;
  /** How many labels, for people. */
  labels: number;
  /** The shipment, where it is only one. */
  shipmentUuid: string | null;
  /** For people. */
  about?: LabelsAbout;
}

/** Whose labels are printed. */
export interface LabelsAbout {
  merchant: string;
  /** Of the only shipment; null for several. */
  one: { carrier: string; orderId: string } | null;
}

/** What was printed. The content's hash is another than asked for when an order changed in between. */
export interface RenderLabelsResult {
  contentHash: string;
  /** Under which hash the store has it: that of the content with the logo as it could be had. */
  printHash: string;
  labels: number;
  bytes: number;
}

/** The workflow `renderLabels`. Fails with one of {@link LABEL_FAILURES}. */
export type RenderLabels = (input: RenderLabelsInput) => Promise<RenderLabelsResult>;

/**
 * The workflow `renderLabelsTogether`: several sets of one account in one run. Null for a set that was not printed;
 * `renderLabels` says why.
 */
export type RenderLabelsTogether = (
  inputs: readonly RenderLabelsInput[],
) => Promise<readonly (RenderLabelsResult | null)[]>;

/** Types of the failures that end `renderLabels` and `fetchCarrierLabel`, mapped once to HTTP. */
export const LABEL_FAILURES = {
  /** The set or the shipment is not there, or not booked. */
  gone: 'LabelSourceGone',
  /** The carrier gave no label; the message is its text. */
  refused: 'CarrierGaveNoLabel',
  /** The worker finds no browser to print with. */
  noBrowser: 'NoBrowser',
} as const;
