import type { Executor } from '../../database.js';

/** One answer of API v1 to be kept. `body`: at most 60,000 bytes of UTF-8. */
export interface LoggedResponse {
  licenseId: number | null;
  /** Method and template, such as `POST /shipping/label`. */
  route: string;
  status: number;
  body: string;
}

/** Inserts the answers, at least one, in one statement. */
export async function insertResponses(db: Executor, responses: readonly LoggedResponse[]): Promise<void> {
  await db.run(
    `INSERT INTO response_logs (license_id, route, status, body)
     VALUES ${responses.map(() => '(?, ?, ?, ?)').join(', ')}`,
    responses.flatMap(({ licenseId, route, status, body }) => [licenseId, route, status, body]),
  );
}

/** Deletes at most `limit` answers older than `keepDays`, oldest first; returns how many. */
export async function deleteOldResponses(
  db: Executor,
  { keepDays, limit }: { keepDays: number; limit: number },
): Promise<number> {
  const { affectedRows } = await db.run(
    `DELETE FROM response_logs WHERE created_at < UTC_TIMESTAMP(6) - INTERVAL ? DAY
     ORDER BY created_at LIMIT ?`,
    [keepDays, limit],
  );
  return affectedRows;
}
