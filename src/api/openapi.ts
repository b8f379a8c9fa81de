import type { TSchema } from 'typebox';
import { ERROR_STATUS, type ErrorCode } from '../domain/errors.js';
import { errorSchema, headerComponents, INTRODUCTION, parameterComponents, TAGS } from './openapi-parts.js';
import { isObject, publishSchema as publish } from './openapi-schema.js';
import { type ResponseSpec, type Route, takesBody } from './route.js';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the routes. */
export function buildOpenApi(routes: readonly Route[], version: string): Json {
  const schemas = new Map<string, unknown>([['Error', errorSchema]]);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method] = operation(route, schemas);
    paths[route.path] = operations;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parcelworks API v2',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v2', description: 'This server.' }],
    security: [{ clientId: [], clientSecret: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        clientId: { type: 'apiKey', in: 'header', name: 'X-Client-Id' },
        clientSecret: { type: 'apiKey', in: 'header', name: 'X-Client-Secret' },
      },
      headers: headerComponents,
      parameters: parameterComponents,
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

function operation(route: Route, schemas: Map<string, unknown>): Json {
  const successes = Object.entries(route.responses).map(([status, spec]) => [
    status,
    success(route, Number(status), spec, schemas),
  ]);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.public ? { security: [] } : {}),
    parameters: parameters(route, schemas),
    ...(takesBody(route) ? { requestBody: requestBody(route, schemas) } : {}),
    responses: { ...Object.fromEntries(successes), ...failures(route) },
  };
}

function parameters(route: Route, schemas: Map<string, unknown>): Json[] {
  return [
    ...parametersIn('path', route.schemas.params, schemas),
    ...parametersIn('query', route.schemas.query, schemas),
    { $ref: '#/components/parameters/RequestId' },
    ...(route.method === 'get' ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(route.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function parametersIn(place: 'path' | 'query', schema: object, schemas: Map<string, unknown>): Json[] {
  const properties: unknown = Reflect.get(schema, 'properties');
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const published = publish(property, schemas);
    const { description, ...rest } = isObject(published) ? published : {};
    return {
      name,
      in: place,
      required: place === 'path',
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function requestBody(route: Route, schemas: Map<string, unknown>): Json {
  return {
    required: !route.bodyOptional,
    content: {
      'application/json': { schema: publish(route.schemas.body, schemas), example: route.bodyExample },
    },
  };
}

function success(route: Route, status: number, spec: ResponseSpec, schemas: Map<string, unknown>): Json {
  const names = [
    'X-Request-Id',
    ...(route.public ? [] : RATE_HEADERS),
    ...(route.method === 'get' && status === 200 ? ['ETag'] : []),
    ...(spec.headers ?? []),
  ];
  return {
    description: spec.description,
    headers: headerRefs(names),
    ...(spec.schema === undefined ? {} : { content: content(spec, spec.schema, schemas) }),
  };
}

function content(spec: ResponseSpec, schema: TSchema, schemas: Map<string, unknown>): Json {
  const binary = { schema: { type: 'string', format: 'binary' } };
  return {
    'application/json': { schema: publish(schema, schemas), example: spec.example },
    ...(spec.alternative === undefined ? {} : { [spec.alternative]: binary }),
  };
}

const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Every error that a route can answer, by what it is: the codes of one status share one response. */
function failures(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  }
  const entries = [...byStatus].map(([status, codes]): [string, Json] => [
    String(status),
    failure(status, codes),
  ]);
  const notModified = {
    304: {
      description: 'Not modified: the body is the one that If-None-Match names.',
      headers: headerRefs(['X-Request-Id', 'ETag']),
    },
  };
  return { ...(route.method === 'get' ? notModified : {}), ...Object.fromEntries(entries) };
}

/** All error codes that a route can answer with. */
export function errorCodesOf(route: Route): Set<ErrorCode> {
  const hasInput = Object.keys(Reflect.get(route.schemas.query, 'properties') ?? {}).length > 0;
  return new Set<ErrorCode>([
    ...(takesBody(route) ? (['malformed_json', 'unsupported_media_type'] as const) : []),
    ...(route.public ? [] : (['unauthenticated'] as const)),
    'rate_limited',
    ...(route.license === 'none' ? [] : (['forbidden'] as const)),
    'payload_too_large',
    ...(takesBody(route) || hasInput || route.license === 'one' ? (['validation_failed'] as const) : []),
    ...route.errors,
    'internal_error',
    ...(route.public ? [] : (['service_unavailable'] as const)),
  ]);
}

const MESSAGES: Readonly<Record<ErrorCode, string>> = {
  malformed_json: 'The request body is not valid JSON at position 12.',
  unauthenticated: 'Invalid API client credentials.',
  forbidden: 'The license is not available to this account.',
  not_found: 'The requested resource was not found.',
  method_not_allowed: 'The method is not allowed on this route.',
  idempotency_key_conflict: 'The Idempotency-Key was already used for another request.',
  duplicate_request: 'The order already has an active shipment.',
  shipment_not_cancellable: 'The shipment was delivered and cannot be cancelled.',
  payload_too_large: 'The request body is larger than 1048576 bytes.',
  unsupported_media_type: 'Send the body as Content-Type: application/json.',
  validation_failed: 'The per_page field must be at least 1.',
  carrier_rejected: 'The carrier does not serve this address.',
  not_supported: 'The carrier has no such feature.',
  rate_limited: 'Too many requests. Try again later.',
  internal_error: 'The server failed to handle the request.',
  service_unavailable: 'The service is temporarily unavailable. Try again shortly.',
};

function failure(status: number, codes: readonly ErrorCode[]): Json {
  const waits = status === 429 || status === 503 ? ['Retry-After'] : [];
  const limits = status === 429 ? RATE_HEADERS : [];
  const examples = codes.map((code): [string, Json] => [
    code,
    {
      value: {
        error: {
          code,
          message: MESSAGES[code],
          status,
          ...(code === 'validation_failed' ? { fields: { per_page: [MESSAGES[code]] } } : {}),
        },
      },
    },
  ]);
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: headerRefs(['X-Request-Id', ...limits, ...waits]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
