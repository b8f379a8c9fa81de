import type { TObject, TSchema } from 'typebox';
import { buildDocument, type Json, jsonContent, parametersIn, type Schemas } from './openapi-document.js';
import { failures } from './openapi-failures.js';
import {
  EVENTS_TAG,
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

/** A message to receivers, as documented. */
export interface SentEvent {
  event: string;
  /** Why it is sent. */
  summary: string;
  /** How often it is sent, and the effect of the receiver's answer. */
  description: string;
  /** The effect of an answer that is neither 2xx nor 410. */
  otherwise: string;
  schema: TObject;
  example: object;
}

/** The messages to receivers, and their headers: name → meaning. */
interface SentEvents {
  events: readonly SentEvent[];
  headers: Readonly<Record<string, string>>;
}

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
  const successes = Object.entries(route.responses)
    .filter(([, spec]) => spec.isUnpublished !== true)
    .map(([status, spec]) => [status, success(route, Number(status), spec, schemas)]);
  return {
    ...(route.public ? { security: [] } : {}),
    ...(route.repeatable ? { 'x-repeatable': true } : {}),
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

function requestBody({ schemas: { body }, ...route }: Route, schemas: Schemas): Json {
  return { required: !route.bodyOptional, content: jsonContent(body, route.bodyExample, schemas) };
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

/** The document's `webhooks`. */
function publishEvents({ events, headers }: SentEvents, schemas: Schemas): Json {
  const parameters = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  const operations = events.map(({ event, otherwise, schema, example, ...texts }): [string, unknown] => [
    event,
    {
      post: {
        operationId: `sent.${event}`,
        tags: [EVENTS_TAG],
        ...texts,
        security: [],
        parameters,
        requestBody: { required: true, content: jsonContent(schema, example, schemas) },
        responses: {
          '2XX': { description: 'The receiver has it.' },
          410: { description: 'The receiver wants no more: the webhook is turned off.' },
          default: { description: otherwise },
        },
      },
    },
  ]);
  return Object.fromEntries(operations);
}
