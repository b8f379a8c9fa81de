import type { Config } from '../config/config.js';
import { findAnswers } from '../db/queries/creation/idempotency.js';
import { createStorage } from '../documents/storage.js';
import { Slots } from '../lib/limits/slots.js';
import { showCapacity } from '../lib/metrics.js';
import { createGuardedClient } from '../outbound/guarded-client.js';
import { createResponseLog } from '../services/accounts/response-log.js';
import type { ApiParts, App } from '../services/app.js';
import { createCarrierAccounts } from '../services/carriers/carrier-accounts.js';
import { createCarrierShares } from '../services/carriers/carrier-shares.js';
import { CreationBacklog } from '../services/creation/creation-backlog.js';
import { RecordedAnswers } from '../services/creation/recorded-answers.js';
import { createWakeSummaries } from '../services/webhooks/wake-summaries.js';
import { createRemoteCodec } from '../temporal/remote-codec.js';
import { createWaker } from '../temporal/wake.js';

/** The parts of every process's app. */
type AppParts = Pick<App, 'config' | 'db' | 'temporal' | 'carriers' | 'onRestored'>;
type OnTrouble = (error: unknown) => void;

/** The app of API and workers. `close` releases its resources. */
export function createCommonApp<P extends AppParts>(parts: P, onWakeTrouble: OnTrouble) {
  const { config, db, temporal, carriers } = parts;
  const waker = createWaker(temporal, { onTrouble: onWakeTrouble, summaryOf: createWakeSummaries(db) });
  return {
    ...parts,
    accounts: createCarrierAccounts(db, config.appKeys, carriers),
    storage: createStorage(config.storage),
    outbound: createGuardedClient(rangesOf(config)),
    wake: waker.wake,
    lostLooks: new Slots({ total: 8 }),
    close: waker.close,
  };
}

/** The app of an API process. `close` writes what is buffered and releases its resources, after the last request. */
export function createApiApp(
  parts: AppParts & Pick<App, 'stopping' | 'onTrouble' | 'adapters'>,
  onWakeTrouble: OnTrouble,
): ApiParts & { close(): Promise<void> } {
  const { db, onTrouble, carriers, adapters } = parts;
  const { payloadEncryption } = parts.config;
  const { close, ...common } = createCommonApp(parts, onWakeTrouble);
  const responseLog = createResponseLog(db, onTrouble);
  const backlog = new CreationBacklog();
  showCapacity('creations.alwaysTaken', backlog);
  return {
    ...common,
    adapters,
    shares: createCarrierShares(carriers),
    backlog,
    answers: new RecordedAnswers((uuids) => findAnswers(db, uuids)),
    remoteCodec: payloadEncryption === null ? undefined : createRemoteCodec(payloadEncryption),
    responseLog,
    async close() {
      await responseLog.settled();
      await close();
    },
  };
}

/** CIDRs that outgoing requests may and may not reach. */
export function rangesOf(config: Pick<Config, 'webhookAllowCidrs' | 'webhookDenyCidrs'>) {
  return { allowedRanges: config.webhookAllowCidrs, deniedRanges: config.webhookDenyCidrs };
}
