/** Fields that the recipient app searches by substring. */
export const SEARCH_FIELDS = ['order_id', 'name', 'address', 'phone', 'shipping_code'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** Sort columns of the recipient app. */
export const RECIPIENT_SORTS = [
  'id',
  'created_at',
  'updated_at',
  'shipping_code',
  'status',
  'name',
  'city',
  'address',
  'order_id',
  'order_number',
  'flag',
] as const;
export type RecipientSort = (typeof RECIPIENT_SORTS)[number];

/** A recipient's filter of their shipments; missing fields do not filter. */
export interface RecipientFilter {
  /** Part of any searchable text. */
  search?: string;
  /** Parts of single fields; all must match. */
  parts: readonly (readonly [field: SearchField, part: string])[];
  accountId?: number;
  companyId?: number;
  licenseId?: number;
  flag?: number;
  /** `cod`, `independent`, or a stored type: `regular`, `double`, `collecting`. */
  type?: string;
  /** Part of the status text. */
  status?: string;
  /** ISO 8601 UTC, inclusive. */
  createdFrom?: string;
  createdTo?: string;
  activeOnly: boolean;
  labelGenerated?: boolean;
}

/** Order of the list; newest first by default. */
export interface RecipientOrder {
  explicit: { column: RecipientSort; descending: boolean } | null;
  /** Direction for accounts that sort by warehouse. */
  byWarehouse: 'asc' | 'desc';
}
