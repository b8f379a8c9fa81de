import { auditedCall } from '../../../api/audited-call.js';
import type { CallOf } from '../../../api/call.js';
import type { CheckedRequest, Route } from '../../../api/route.js';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { Actor } from '../../../domain/audit.js';
import { AppError } from '../../../domain/errors.js';
import { problem } from '../../../domain/problems/problem.js';
import type { MountedApp } from '../../mounted-app.js';
import { countRequest } from '../../v2/dialect.js';

/** Who calls, and for which account. */
interface Caller {
  account: AccountRecord;
  actor: Actor;
  whileWaiting: CheckedRequest['whileWaiting'];
  /** Whether it counts for the account as a request to the API: not what an open page asks for by itself. */
  isCounted: boolean;
}

/**
 * Calls an operation of API v2 for an account: what a merchant does in the panel follows the rules of the API, and the
 * audit has what changes something. @throws AppError as the API answers it
 */
export type Operations = <P extends object, Q extends object, B, Answer>(
  operation: Route<P, Q, B, Answer>,
  call: CallOf<P, Q, B>,
) => Promise<Answer>;

/** The operations for one account. */
export function operationsOf(app: MountedApp, caller: Caller): Operations {
  const { account, actor, whileWaiting, isCounted } = caller;
  return async (operation, call) => {
    if (isCounted) countRequest(app, { accountId: account.id });
    if (account.disabledAt !== null) throw new AppError('forbidden', problem('account_disabled'));
    return await auditedCall(operation, call, { app, accountId: account.id, actor, whileWaiting });
  };
}
