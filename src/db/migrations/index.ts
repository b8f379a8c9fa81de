import { accounts } from './0001-initial/accounts.js';
import { auditLog } from './0001-initial/audit-log.js';
import { batches } from './0001-initial/batches.js';
import { copies } from './0001-initial/copies.js';
import { creation } from './0001-initial/creation.js';
import { documents } from './0001-initial/documents.js';
import { imports } from './0001-initial/imports.js';
import { inbound } from './0001-initial/inbound.js';
import { kept } from './0001-initial/kept.js';
import { notifications } from './0001-initial/notifications.js';
import { panel } from './0001-initial/panel.js';
import { recipients } from './0001-initial/recipients.js';
import { shipments } from './0001-initial/shipments.js';
import { toldOperators } from './0001-initial/told-operators.js';
import { webhooks } from './0001-initial/webhooks.js';

/** One migration: its statements run in order, once, each on its own (DDL commits by itself). */
export interface Migration {
  name: string;
  statements: readonly string[];
}

/** Every migration by number. Databases run the missing ones; never change a released one. */
export const migrations: readonly Migration[] = [
  {
    name: '0001-initial',
    statements: [
      ...accounts,
      ...shipments,
      ...creation,
      ...batches,
      ...webhooks,
      ...inbound,
      ...notifications,
      ...documents,
      ...copies,
      ...auditLog,
      ...panel,
      ...toldOperators,
      ...imports,
      ...kept,
      ...recipients,
    ],
  },
];
