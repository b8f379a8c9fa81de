export interface FetchCarrierLabelInput {
  accountId: number;
  licenseId: number;
  provider: string;
  shipmentUuid: string;
}

/** The uuid in the stored document's URL. */
export interface FetchCarrierLabelResult {
  documentUuid: string;
  bytes: number;
}

/** Fails with one of `LABEL_FAILURES`. */
export type FetchCarrierLabel = (input: FetchCarrierLabelInput) => Promise<FetchCarrierLabelResult>;
