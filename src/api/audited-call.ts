import type { Actor } from '../domain/audit.js';
import { valueAt } from '../lib/json.js';
import { auditedAct } from '../services/admin/audited.js';
import { type Caller, type CallOf, callRoute } from './call.js';
import type { Route } from './route.js';

/**
 * Calls a route as {@link callRoute} does, for a named actor: what changes something is a row of the audit, under the
 * route's own name. @throws AppError as the API answers it
 */
export async function auditedCall<P extends object, Q extends object, B, Answer>(
  route: Route<P, Q, B, Answer>,
  call: CallOf<P, Q, B>,
  { actor, ...caller }: Caller & { actor: Actor },
): Promise<Answer> {
  const { method, audit } = route;
  if (audit === undefined) return await callRoute(route, call, caller);
  const { app, accountId } = caller;
  const { action, target: kind, reader } = audit;
  const [id]: readonly unknown[] = Object.values({ ...call.params });
  const target = id === undefined ? { kind: 'account', id: accountId } : { kind, id: String(id) };
  const before = reader === undefined ? undefined : valuesOf(await callRoute(reader, call, caller));
  return await auditedAct(
    { db: app.db, actor },
    action,
    { target, accountId },
    () => callRoute(route, call, caller),
    (answer) => {
      if (before === undefined) return id === undefined ? madeOf(kind, answer) : 'done';
      return { outcome: 'done', before, after: method === 'delete' ? undefined : valuesOf(answer) };
    },
  );
}

/** The values of an object in an answer, without the license key, which is a credential, and the time of each change. */
function valuesOf(answer: unknown): object {
  const { license_key: _key, updated_at: _stamp, ...values } = dataOf(answer);
  return values;
}

function madeOf(kind: string, answer: unknown): string {
  const { uuid, id = uuid } = dataOf(answer);
  return typeof id === 'string' || typeof id === 'number' ? `${kind} ${id}` : 'done';
}

function dataOf(answer: unknown): Record<string, unknown> {
  const data = valueAt(answer, 'data');
  return typeof data === 'object' && data !== null ? { ...data } : {};
}
