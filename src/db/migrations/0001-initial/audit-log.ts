import { NOW, TABLE } from '../parts.js';

/** Changes by administrators and operators. Its rows stay, so nothing refers to what may go. */
export const auditLog: readonly string[] = [
  `CREATE TABLE audit_log (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  actor_kind VARCHAR(16) NOT NULL,
  actor_name VARCHAR(255) NOT NULL,
  actor_origin VARCHAR(255) NOT NULL,
  action VARCHAR(64) NOT NULL,
  target_kind VARCHAR(32) NOT NULL,
  target_id VARCHAR(64) NOT NULL,
  account_id BIGINT UNSIGNED NULL,
  values_before JSON NULL,
  values_after JSON NULL,
  created_at ${NOW},
  KEY audit_log_account (account_id, id),
  KEY audit_log_actor (actor_name, id),
  KEY audit_log_action (action, id),
  KEY audit_log_target (target_kind, target_id, id),
  KEY audit_log_created (created_at)
) ${TABLE}`,
];
