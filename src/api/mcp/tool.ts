import type { Static, TObject } from 'typebox';
import { listLicenseSummaries } from '../../db/queries/accounts/credentials.js';
import type { Actor } from '../../domain/audit.js';
import { AppError, validationError } from '../../domain/errors.js';
import { isUsable } from '../../domain/license.js';
import { problem, problemAt } from '../../domain/problems/problem.js';
import { compileOnUse } from '../../lib/schema.js';
import { nowIso } from '../../lib/time.js';
import { auditedCall } from '../audited-call.js';
import type { CallOf } from '../call.js';
import type { HttpApp } from '../http-app.js';
import type { CheckedRequest, Route } from '../route.js';
import { fieldErrors } from '../validation.js';

/** For whom a tool works. */
export interface ToolCaller extends Pick<CheckedRequest, 'accountId' | 'whileWaiting'> {
  app: HttpApp;
  /** The actor of changes in the audit. */
  actor: Actor;
  /** Whether the operator and the credentials allow changes. */
  mayWrite: boolean;
}

/** `next`: what to do now, in our own words; it stands outside the fence. */
export interface ToolAnswer {
  data: object;
  next?: string;
  isError?: boolean;
}

interface ToolHead {
  name: string;
  title: string;
  description: string;
  /** Refused, and not listed, without the right to write. */
  writes: boolean;
  /** As the protocol has them; a host asks its user before what is destructive. */
  hints: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean };
}

/** A tool. `run` checks the arguments. @throws AppError */
export interface Tool extends ToolHead {
  input: TObject;
  run(args: unknown, caller: ToolCaller): Promise<ToolAnswer>;
}

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** One tool: the schema of its arguments gives their types and their check. */
export function defineTool<I extends TObject>(
  head: ToolHead & { input: I },
  work: (args: Static<I>, caller: ToolCaller) => Promise<ToolAnswer>,
): Tool {
  const compiled = compileOnUse<Static<I>>(head.input);
  return {
    ...head,
    async run(args, caller) {
      const check = compiled();
      if (!check(args)) throw validationError(fieldErrors(check.errors));
      return await work(args, caller);
    },
  };
}

/** Calls an operation of API v2 for the caller. @throws AppError as the API answers it */
export function callFor(caller: ToolCaller) {
  return async <P extends object, Q extends object, B, Answer>(
    route: Route<P, Q, B, Answer>,
    call: CallOf<P, Q, B>,
  ): Promise<Answer> => await auditedCall(route, call, caller);
}

/** A license as a model may know it: its key is a credential of API v1. */
export interface ChosenLicense {
  key: string;
  shown: { id: number; name: string; carrier: string; is_sandbox: boolean };
}

/** Several licenses and none named: the model asks its user. */
export class LicenseUnclear extends Error {
  constructor(readonly licenses: readonly ChosenLicense['shown'][]) {
    super('Several licenses could be meant.');
  }
}

/**
 * The license that is named, else a sandbox, else the only one. @throws AppError, LicenseUnclear
 */
export async function chooseLicense(
  { app, accountId }: ToolCaller,
  licenseId: number | undefined,
): Promise<ChosenLicense> {
  const now = nowIso();
  const licenses = (await listLicenseSummaries(app.db, accountId)).filter((one) => isUsable(one, now));
  const known = licenses.map(({ id, key, name, carrier, isSandbox }) => ({
    key,
    shown: { id, name, carrier: carrier.name, is_sandbox: isSandbox },
  }));
  if (licenseId !== undefined) {
    const named = known.find(({ shown }) => shown.id === licenseId);
    if (named === undefined) throw new AppError('forbidden', problem('foreign_license'));
    return named;
  }
  const usual = known.find(({ shown }) => shown.is_sandbox) ?? (known.length > 1 ? undefined : known[0]);
  if (usual !== undefined) return usual;
  if (known.length === 0) throw new AppError('forbidden', problem('account_without_license'));
  throw new LicenseUnclear(known.map(({ shown }) => shown));
}

/** Whether an error says what is wrong with the call. Others are reported, unless they are outages. */
export function isRefusal(error: unknown, { app }: Pick<ToolCaller, 'app'>): error is AppError {
  if (!(error instanceof AppError)) app.onTrouble(error);
  return error instanceof AppError && error.status < 500;
}

/** @throws AppError `validation_failed` at a field that is needed where another one is missing */
export function needed(field: string, other: string): AppError {
  return validationError({ [field]: [problemAt(field, 'required_unless', { other })] });
}
