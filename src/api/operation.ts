import type { TSchema } from 'typebox';
import { compileOnUse } from '../lib/schema.js';
import type { CreateShipmentOutcome } from '../services/creation/create-shipment.js';
import type { HttpApp } from './http-app.js';

/** An answer as it is published. */
export interface ResponseSpec {
  description: string;
  /** Missing for an answer without a body. */
  schema?: TSchema;
  example?: unknown;
  /** Further header names, beside those of every answer. */
  headers?: readonly ('Location' | 'Retry-After' | 'Idempotent-Replayed')[];
  /** Alternative media type for the `Accept` header. */
  alternative?: 'application/pdf';
  /**
   * Left out of the document, where another operation has it: a generated client would give one of two shapes to
   * everybody.
   */
  isUnpublished?: true;
}

/** Answers by their status. */
export type Responses = Readonly<Record<number, ResponseSpec>>;

/** The published part of a route in every version of the API. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path below that of the version, parameters in braces: `/shipments/{uuid}`. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Largest body in bytes; default 1 MiB. */
  bodyLimitBytes?: number;
  responses: Responses;
}

/** A mounted route. `Request`: the request that it receives. */
export interface MountedRoute<Request> extends Operation {
  /** Validates, then works. @throws AppError or an answer */
  execute(request: Request, app: HttpApp): Promise<Reply>;
  /** @throws Error when the JSON text does not match the published schema of its status. */
  checkResponse(status: number, text: string | undefined): void;
}

/** The request as routes of every version receive it. */
export interface BaseRequest {
  /** Path and query as sent, without origin. */
  url: string;
  /** The caller's address; empty where it is unknown. */
  address: string;
  /** All values of one header, not joined. */
  headerValues: (name: string) => readonly string[];
  params: Readonly<Record<string, unknown>>;
  /**
   * Waits for others, such as a carrier, while `wait` runs; the request does not count as work meanwhile.
   * @throws Overloaded where the caller has reached its limit of waits, before `wait` is called
   */
  whileWaiting: <T>(wait: () => Promise<T>) => Promise<T>;
  /** Records the shipment in the request's log line. */
  onShipment: (created: CreateShipmentOutcome) => void;
}

/**
 * An answer. `text` is JSON to send unchanged, `bytes` a document of another media type with a strong `etag` (without
 * quotes); else `json` is serialised. Without any of them there is no body.
 */
export interface Reply<Answer = unknown> {
  status: number;
  json?: Answer;
  text?: string;
  bytes?: { type: string; body: Buffer; etag: string };
  headers?: Readonly<Record<string, string>>;
  /** Runs once the answer was sent to a caller that was still connected. */
  whenTold?: () => Promise<void>;
}

/** Reads the JSON text of an answer, which the schema of its status describes; undefined for one without a body. */
export function responseCheck<Answer>({
  operationId,
  responses,
}: Pick<Operation, 'operationId' | 'responses'>): (status: number, text: string | undefined) => Answer {
  const checks = new Map(
    Object.entries(responses).map(([status, { schema }]) => [
      Number(status),
      schema === undefined ? undefined : compileOnUse<Answer>(schema),
    ]),
  );
  return (status, text) => {
    const what = `${operationId} ${status}`;
    if (!checks.has(status)) throw new Error(`${what} is not published.`);
    const check = checks.get(status)?.();
    const body: unknown = text === undefined ? undefined : JSON.parse(text);
    if (check !== undefined && check(body)) return body;
    if (check === undefined && isNothing<Answer>(body)) return body;
    throw new Error(`${what} does not match its schema: ${JSON.stringify(check?.errors)}`);
  };
}

/** The whole answer where none is published. */
function isNothing<Answer>(body: unknown): body is Answer {
  return body === undefined;
}
