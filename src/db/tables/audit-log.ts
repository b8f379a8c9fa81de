import { id, instant, json, oneOf, table, text } from './table.js';

/** The table `audit_log`. */
export const auditLog = table('audit_log', {
  id: id().primary(),
  actorKind: oneOf('VARCHAR(16)', 'admin', 'panel'),
  actorName: text('VARCHAR(255)'),
  /** Host of the program, or address of the browser. */
  actorOrigin: text('VARCHAR(255)'),
  action: text('VARCHAR(64)'),
  targetKind: text('VARCHAR(32)'),
  targetId: text('VARCHAR(64)'),
  /** Null for what belongs to no account. */
  accountId: id().null(),
  valuesBefore: json().null(),
  valuesAfter: json().null(),
  createdAt: instant(),
});
