import type { TSchema } from 'typebox';
import { publishEvents, type SentEvents } from './openapi-events.js';
import { failures } from './openapi-failures.js';
import {
  errorSchema,
  headerComponents,
  headerRefs,
  INTRODUCTION,
  parameterComponents,
  RATE_HEADERS,
  TAGS,
} from './openapi-parts.js';
import { isObject, publishSchema as publish } from './openapi-schema.js';
import type { ResponseSpec } from './operation.js';
import { type Route, takesBody } from './route.js';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the routes, and of what is sent to webhooks. */
export function buildOpenApi(routes: readonly Route[], sent: SentEvents, version: string): Json {
  const schemas = new Map<string, unknown>([['ApiError', errorSchema]]);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method] = operation(route, schemas);
    paths[route.path] = operations;
  }
  const webhooks = publishEvents(sent, schemas);
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
    webhooks,
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
