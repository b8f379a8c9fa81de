import type { TSchema } from 'typebox';
import { compileOnUse } from '../lib/schema.js';
import type { CreateShipmentOutcome } from '../services/creation/create-shipment.js';
import type { HttpApp } from './http-app.js';

/** An answer as it is published. */
export interface ResponseSpec {
  description: string;
  /** Left out where the answer has no body. */
  schema?: TSchema;
  example?: unknown;
  /** Names of the headers beside those of every answer. */
  headers?: readonly ('Location' | 'Retry-After' | 'Idempotent-Replayed')[];
  /** Media type that the caller can ask for instead of JSON with `Accept`. */
  alternative?: 'application/pdf';
}

/** Answers by their status. */
export type Responses = Readonly<Record<number, ResponseSpec>>;

/** What is published of a route in every version of the API. */
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

/** A route as it is mounted; `Request` is what it sees of a request. */
export interface MountedRoute<Request> extends Operation {
  /** Validates, then works. @throws AppError or an answer */
  execute(request: Request, app: HttpApp): Promise<Reply>;
  /** @throws Error when the JSON text does not match the published schema of its status. */
  checkResponse(status: number, text: string | undefined): void;
}

/** What a route of any version sees of a request. */
export interface BaseRequest {
  /** Path and query as sent, without origin. */
  url: string;
  /** Values of a repeatable look at one header, not joined. */
  headerValues: (name: string) => readonly string[];
  params: Readonly<Record<string, unknown>>;
  /**
   * Waits for others, such as a carrier, while `wait` runs; meanwhile the request does not count as work of the process.
   * @throws Overloaded before `wait` is called, where the caller already has its share of waits
   */
  whileWaiting: <T>(wait: () => Promise<T>) => Promise<T>;
  /** Names the shipment in the request's log line. */
  onShipment: (created: CreateShipmentOutcome) => void;
}

/**
 * An answer. `text` is JSON that is sent byte for byte, `bytes` a document of another media type with a strong `etag`
 * (without quotes); else `json` is serialised. None of them: no body.
 */
export interface Reply {
  status: number;
  json?: unknown;
  text?: string;
  bytes?: { type: string; body: Buffer; etag: string };
  headers?: Readonly<Record<string, string>>;
  /** Runs once the answer was handed out to a caller that was still there. */
  whenTold?: () => Promise<void>;
}

/** Checks the JSON text of an answer against the schema of its status. */
export function responseCheck({
  operationId,
  responses,
}: Pick<Operation, 'operationId' | 'responses'>): MountedRoute<unknown>['checkResponse'] {
  const checks = new Map(
    Object.entries(responses).map(([status, { schema }]) => [
      Number(status),
      schema === undefined ? undefined : compileOnUse<unknown>(schema),
    ]),
  );
  return (status, text) => {
    const what = `${operationId} ${status}`;
    if (!checks.has(status)) throw new Error(`${what} is not published.`);
    const check = checks.get(status)?.();
    if (check === undefined && text === undefined) return;
    if (check === undefined || text === undefined) {
      throw new Error(`${what} has a body and no schema, or the other way round.`);
    }
    const body: unknown = JSON.parse(text);
    if (check(body)) return;
    throw new Error(`${what} does not match its schema: ${JSON.stringify(check.errors)}`);
  };
}
