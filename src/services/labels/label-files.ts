import type { LabelOptions, LabelType } from '../../domain/labels.js';

export interface LabelReference {
  url: string;
  labelType: LabelType;
  source: 'builtin' | 'carrier';
}

/** `etag` changes with every byte. `name`: `label-<tracking code>.pdf` or `labels-<number>.pdf`. */
export interface LabelPdf {
  name: string;
  body: Buffer;
  etag: string;
}

/** An HTML page; `etag` changes with every byte. */
export type LabelHtml = Pick<LabelPdf, 'body' | 'etag'>;

/** Choices in a label's URL; missing ones are as in the set. */
export type LabelChoice = Partial<Pick<LabelOptions, 'position' | 'sort' | 'direction'>>;

/** A request for several shipments' labels. */
export interface LabelSetRequest {
  accountId: number;
  /** Omitted when the shipments may be any of the account. */
  licenseId?: number;
  /** Lower-case uuids. */
  shipments: readonly string[];
  options: LabelOptions;
}
