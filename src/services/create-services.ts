import type { Client } from '@temporalio/client';
import type { CarrierAdapter } from '../carriers/contract.js';
import type { Config } from '../config/config.js';
import type { WakeTarget } from '../contracts/wake.js';
import type { Database } from '../db/database.js';
import { findAnswers } from '../db/queries/idempotency.js';
import { findRunNames } from '../db/queries/run-names.js';
import { createStorage } from '../documents/storage.js';
import { sharedByKey } from '../lib/limits/shared-by-key.js';
import { createGuardedClient } from '../outbound/guarded-client.js';
import { tryWakeBatch } from '../temporal/batches.js';
import { activateLicense } from './activate-license.js';
import { createBatchServices } from './batches.js';
import { cancelShipment } from './cancel-shipment.js';
import { createCarrierAccounts } from './carrier-accounts.js';
import { createCarrierShares } from './carrier-shares.js';
import { createExport } from './create-export.js';
import { createShipment } from './create-shipment.js';
import { CreationBacklog } from './creation-backlog.js';
import { cutsNote } from './cut-note.js';
import { openExportFile } from './export-file.js';
import { createExpressServices } from './express.js';
import { createInboundServices } from './inbound.js';
import { createLabelServices } from './labels.js';
import { listShownLicenses } from './list-licenses.js';
import { listPickupPoints } from './list-pickup-points.js';
import { previewNotification } from './preview-notification.js';
import { RecordedAnswers } from './recorded-answers.js';
import { createRefreshStatus } from './refresh-status.js';
import { createResponseLog } from './response-log.js';
import type { Services } from './services.js';
import { showAccount } from './show-account.js';
import { createWebhookServices } from './webhooks.js';

/** What the services work with. */
export interface ServiceDeps {
  config: Pick<
    Config,
    | 'createWaitMs'
    | 'appKey'
    | 'webhookAllowCidrs'
    | 'webhookDenyCidrs'
    | 'webhookRetrySeconds'
    | 'baseUrl'
    | 'storage'
  >;
  db: Database;
  temporal: Client;
  carriers(provider: string): CarrierAdapter;
  /** Aborted when the process ends: waits for runs end then. */
  stopping?: AbortSignal | undefined;
  /** Starts what delivers the events that were recorded; returns at once. */
  wake(targets: readonly WakeTarget[]): void;
  /** Told of carrier trouble that the caller is not. */
  onTrouble(error: unknown): void;
}

/** The use cases with their parts plugged in. */
export function createServices(deps: ServiceDeps): Services {
  const accounts = createCarrierAccounts(deps.db, deps.config.appKey, deps.carriers);
  const storage = createStorage(deps.config.storage);
  const shares = createCarrierShares(deps.carriers);
  const backlog = new CreationBacklog();
  const answers = new RecordedAnswers((uuids) => findAnswers(deps.db, uuids));
  const outbound = createGuardedClient({
    allowedRanges: deps.config.webhookAllowCidrs,
    deniedRanges: deps.config.webhookDenyCidrs,
  });
  return {
    createShipment: (request) => createShipment({ ...deps, backlog, answers }, request),
    createExport: (request) => createExport(deps, request),
    openExportFile: (link) => openExportFile({ db: deps.db, storage }, link),
    previewNotification: (request) => previewNotification(deps, request),
    cancelShipment: (request) => cancelShipment(deps, request),
    refreshStatus: createRefreshStatus({ ...deps, accounts, shares }),
    batches: createBatchServices({
      db: deps.db,
      wakeBatch: async (input) =>
        tryWakeBatch(deps.temporal, input, await findRunNames(deps.db, input.licenseId)),
    }),
    webhooks: createWebhookServices({ ...deps, outbound }),
    inbound: createInboundServices({ ...deps, accounts }),
    labels: createLabelServices(deps),
    express: createExpressServices({ ...deps, accounts, shares }),
    activateLicense: (request) => activateLicense({ ...deps, outbound }, request),
    listLicenses: (accountId) => listShownLicenses(deps, accountId),
    showAccount: sharedByKey((accountId) => showAccount(deps, accountId)),
    carrierOffers: (provider, feature) => deps.carriers(provider)[feature] !== undefined,
    cutsNote: (creation) => cutsNote(deps, creation),
    responseLog: createResponseLog(deps),
    listPickupPoints: (request) => listPickupPoints(deps, request),
  };
}
