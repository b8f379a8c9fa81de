import { type CallOf, callRoute } from '../../../api/call.js';
import type { CheckedRequest, Route } from '../../../api/route.js';
import type { AccountRecord } from '../../../db/queries/accounts/accounts.js';
import type { Actor } from '../../../domain/audit.js';
import { AppError } from '../../../domain/errors.js';
import { problem } from '../../../domain/problems/problem.js';
import { auditedAct } from '../../../services/admin/audited.js';
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
  const { account, whileWaiting, isCounted } = caller;
  const accountId = account.id;
  const ask: Operations = async (operation, call) => {
    if (account.disabledAt !== null) throw new AppError('forbidden', problem('account_disabled'));
    return await callRoute(operation, call, { app, accountId, whileWaiting });
  };
  return async (operation, call) => {
    if (isCounted) countRequest(app, { accountId });
    const { method, audit } = operation;
    if (audit === undefined) return await ask(operation, call);
    const { action, target: kind, reader } = audit;
    const [id]: readonly unknown[] = Object.values({ ...call.params });
    const target = id === undefined ? { kind: 'account', id: accountId } : { kind, id: String(id) };
    const before = reader === undefined ? undefined : valuesOf(await ask(reader, call));
    return await auditedAct(
      { db: app.db, actor: caller.actor },
      action,
      { target, accountId },
      () => ask(operation, call),
      (answer) => {
        if (before === undefined) return id === undefined ? madeOf(kind, answer) : 'done';
        return { outcome: 'done', before, after: method === 'delete' ? undefined : valuesOf(answer) };
      },
    );
  };
}

/** What an answer says of an object, without the license key, which is a credential, and the time of each change. */
function valuesOf(answer: unknown): object {
  const { license_key: _key, updated_at: _stamp, ...values } = dataOf(answer);
  return values;
}

function madeOf(kind: string, answer: unknown): string {
  const { uuid, id = uuid } = dataOf(answer);
  return typeof id === 'string' || typeof id === 'number' ? `${kind} ${id}` : 'done';
}

function dataOf(answer: unknown): Record<string, unknown> {
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null;
  return typeof data === 'object' && data !== null ? { ...data } : {};
}
