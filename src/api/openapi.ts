import type { TSchema } from 'typebox';
import { buildDocument, type Json, jsonContent, parametersIn, type Schemas } from './openapi-document.js';
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
import type { ResponseSpec } from './operation.js';
import { type Route, takesBody } from './route.js';

/** The OpenAPI 3.1 document of the routes and webhooks. */
export function buildOpenApi(routes: readonly Route[], sent: SentEvents, version: string): Json {
  const schemas: Schemas = new Map([['ApiError', errorSchema]]);
  const about = { title: 'Parcelworks API v2', version, description: INTRODUCTION, base: '/api/v2', schemas };
  return buildDocument(about, routes, operation, {
    security: [{ clientId: [], clientSecret: [] }],
    tags: TAGS,
    webhooks: publishEvents(sent, schemas),
    components: {
      securitySchemes: {
        clientId: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Client-Id',
          description:
            'An account may have several pairs of id and secret. Read-only ones make GET requests alone.',
        },
        clientSecret: { type: 'apiKey', in: 'header', name: 'X-Client-Secret' },
      },
      headers: headerComponents,
      parameters: parameterComponents,
    },
  });
}

function operation(route: Route, schemas: Schemas): Json {
  const successes = Object.entries(route.responses).map(([status, spec]) => [
    status,
    success(route, Number(status), spec, schemas),
  ]);
  return {
    ...(route.public ? { security: [] } : {}),
    parameters: parameters(route, schemas),
    ...(takesBody(route) ? { requestBody: requestBody(route, schemas) } : {}),
    responses: { ...Object.fromEntries(successes), ...failures(route) },
  };
}

function parameters(route: Route, schemas: Schemas): Json[] {
  return [
    ...parametersIn('path', route.schemas.params, schemas),
    ...parametersIn('query', route.schemas.query, schemas),
    { $ref: '#/components/parameters/RequestId' },
    ...(route.method === 'get' ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ...(route.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
}

function requestBody(route: Route, schemas: Schemas): Json {
  return {
    required: !route.bodyOptional,
    content: jsonContent(route.schemas.body, route.bodyExample, schemas),
  };
}

function success(route: Route, status: number, spec: ResponseSpec, schemas: Schemas): Json {
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

function content(spec: ResponseSpec, schema: TSchema, schemas: Schemas): Json {
  const binary = { schema: { type: 'string', format: 'binary' } };
  return {
    ...jsonContent(schema, spec.example, schemas),
    ...(spec.alternative === undefined ? {} : { [spec.alternative]: binary }),
  };
}
