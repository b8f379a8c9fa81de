import type { Executor } from '../../database.js';
import { responseLogs } from '../../tables/index.js';
import type { RowOf } from '../../tables/table.js';

/** One answer of API v1 to be kept. `route`: method and template. `body`: at most 60,000 bytes of UTF-8. */
export type LoggedResponse = Pick<RowOf<typeof responseLogs>, 'licenseId' | 'route' | 'status' | 'body'>;

/** Inserts the answers in one statement. */
export async function insertResponses(db: Executor, responses: readonly LoggedResponse[]): Promise<void> {
  await responseLogs.insertAll(db, responses);
}
