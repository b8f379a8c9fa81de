/** Input of the workflow `fetchCarrierLabel`. */
export interface FetchCarrierLabelInput {
  accountId: number;
  licenseId: number;
  provider: string;
  shipmentUuid: string;
}

/** The uuid in the address of the stored document. */
export interface FetchCarrierLabelResult {
  documentUuid: string;
  bytes: number;
}

/** The workflow `fetchCarrierLabel`. Fails with one of `LABEL_FAILURES`. */
export type FetchCarrierLabel = (input: FetchCarrierLabelInput) => Promise<FetchCarrierLabelResult>;
