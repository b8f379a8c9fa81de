/** Fields of a shipment that the recipient app searches by a part of them. */
export const SEARCH_FIELDS = ['order_id', 'name', 'address', 'phone', 'shipping_code'] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** Columns by which the recipient app may have shipments sorted. */
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

/** What a recipient limits the list of their shipments by; what is left out does not limit. */
export interface RecipientFilter {
  /** Part of any text that people search by. */
  search?: string;
  /** Parts of single fields; all of them must be there. */
  parts: readonly (readonly [field: SearchField, part: string])[];
  accountId?: number;
  companyId?: number;
  licenseId?: number;
  flag?: number;
  /** `cod`, `independent`, or a stored type: `regular`, `double`, `collecting`. */
  type?: string;
  /** Part of the status text. */
  status?: string;
  /** Instants, ISO 8601 UTC, both included. */
  createdFrom?: string;
  createdTo?: string;
  activeOnly: boolean;
  labelGenerated?: boolean;
}

/** The order of the list; newest first unless told. */
export interface RecipientOrder {
  explicit: { column: RecipientSort; descending: boolean } | null;
  /** Direction for accounts that sort by warehouse. */
  byWarehouse: 'asc' | 'desc';
}
