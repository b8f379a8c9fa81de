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
