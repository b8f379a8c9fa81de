/**
 * All credentials of an account stand in one table, each with a name, an end and a last use. The statement that copies
 * may run again.
 */
export const namedCredentials: readonly string[] = [
  `INSERT INTO client_credentials (account_id, name, client_id, client_secret_hash, client_secret_last4, created_at)
SELECT a.id, 'main', a.client_id, a.client_secret_hash, a.client_secret_last4, a.created_at
FROM accounts a LEFT JOIN client_credentials k ON k.client_id = a.client_id
WHERE a.client_secret_last4 <> '' AND k.id IS NULL`,
  'ALTER TABLE accounts DROP COLUMN client_id, DROP COLUMN client_secret_hash, DROP COLUMN client_secret_last4',
];
