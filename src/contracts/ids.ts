/** Workflow ids, derived so that a second request meets the first; without personal data. */
export const workflowIds = {
  createShipment: (accountId: number, keyHash: string) => `shipment/${accountId}/${keyHash.slice(0, 32)}`,
  createShipmentV1: (licenseId: number, keyHash: string) =>
    `shipment-v1/${licenseId}/${keyHash.slice(0, 32)}`,
  cancelShipment: (shipmentUuid: string) => `cancel/${shipmentUuid}`,
  renderLabels: (contentHash: string) => `labels/${contentHash}`,
  renderLabelsTogether: (contentsHash: string) => `labels-together/${contentsHash}`,
  fetchCarrierLabel: (shipmentUuid: string) => `carrier-label/${shipmentUuid}`,
  runBatch: (batchUuid: string) => `batch/${batchUuid}`,
  refreshPickupPoints: (licenseId: number) => `pickup-points/${licenseId}`,
  notifyRecipients: (licenseId: number) => `notify/${licenseId}`,
  deliverWebhooks: (subscriptionId: string) => `webhook/${subscriptionId}`,
  /** One per license: its webhooks are applied in sequence. */
  applyInbound: (licenseId: number) => `inbound/${licenseId}`,
  /** One per license, and one over all of an account's: the id is the lock. */
  exportShipments: ({ accountId, licenseId }: { accountId: number; licenseId: number | null }) =>
    licenseId === null ? `export/account-${accountId}` : `export/${licenseId}`,
} as const;

export const scheduleIds = {
  pollCarrier: (provider: string) => `poll-carrier/${provider}`,
  refreshPickupPoints: (provider: string) => `refresh-pickup-points/${provider}`,
  housekeeping: 'housekeeping',
  resumeBatches: 'resume-batches',
  wakeDeliveries: 'wake-deliveries',
  tellOperators: 'tell-operators',
} as const;

/** Task queues. Each carrier has one, so that its limit and its failures affect no other. */
export const taskQueues = {
  shipments: 'shipments',
  batches: 'batches',
  mail: 'mail',
  webhooks: 'webhooks',
  exports: 'exports',
  documents: 'documents',
  carrier: (provider: string) => `carrier-${provider.replaceAll('_', '-')}`,
} as const;

/** The deployment, as the engine calls it, of which all builds of the workers are versions. */
export const WORKER_DEPLOYMENT = 'parcelworks';
