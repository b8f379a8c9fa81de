import { publishSchema } from '../openapi-schema.js';
import type { ResponseSpec } from '../operation.js';
import { isObject } from './input.js';
import type { Guard, V1Route } from './route.js';

type Json = Record<string, unknown>;

const INTRODUCTION = `The legacy API that store plugins call: one action a path, parameters and credentials in a
body of JSON or of a form (\`application/x-www-form-urlencoded\` with PHP's nesting, \`ship_data[city]=…\`). It is frozen and receives fixes only; new integrations use v2.

Send \`Accept: application/json\` always: without it a validation failure is a redirect. The shipping group answers with
\`{ data, message, success, warning }\`, and \`success\`, not the HTTP status, is the outcome. Shipments are addressed
by their carrier tracking code as \`shipping_id\`. Texts may be localized; branch on statuses and fields.`;

const TAGS = [
  { name: 'Licenses', description: 'Check and activate the license of a store.' },
  { name: 'Shipping', description: 'Create, follow, cancel and print shipments.' },
  { name: 'Express', description: 'Prices and reach of same-day and express carriers.' },
  { name: 'Recipient app', description: 'What recipients see of their own parcels.' },
];

const SECURITY: Readonly<Record<Guard, Json[]>> = {
  none: [],
  license: [],
  user: [{ bearer: [] }, {}],
  app: [{ appSecret: [] }],
  recipient: [{ appSecret: [], bearer: [] }],
};

/** The OpenAPI 3.1 document of API v1. */
export function buildV1OpenApi(routes: readonly V1Route[], version: string): Json {
  const schemas = new Map<string, unknown>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parcelworks API v1 (legacy)',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api', description: 'This server.' }],
    security: [],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        appSecret: { type: 'apiKey', in: 'header', name: 'X-App-Secret' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

function operation(route: V1Route, schemas: Map<string, unknown>): Json {
  const { operationId, tag, summary, description, guard, method } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: SECURITY[guard],
    parameters: [...pathParameters(route.path), ...(method === 'get' ? queryParameters(route, schemas) : [])],
    ...(method === 'post' ? { requestBody: requestBody(route, schemas) } : {}),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, spec]) => [status, response(spec, schemas)]),
    ),
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: "The shipment's carrier tracking code.",
    schema: { type: 'string' },
  }));
}

function queryParameters({ input }: V1Route, schemas: Map<string, unknown>): Json[] {
  const properties: unknown = Reflect.get(input, 'properties');
  const required: unknown = Reflect.get(input, 'required');
  if (!isObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const published = publishSchema(property, schemas);
    const { description, ...schema } = isObject(published) ? published : {};
    return {
      name,
      in: 'query',
      required: Array.isArray(required) && required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
      schema,
    };
  });
}

function requestBody({ input, inputExample }: V1Route, schemas: Map<string, unknown>): Json {
  const schema = publishSchema(input, schemas);
  return {
    required: true,
    content: {
      'application/json': {
        schema,
        ...(inputExample === undefined ? {} : { example: inputExample }),
      },
      'application/x-www-form-urlencoded': { schema },
    },
  };
}

function response({ description, schema, example }: ResponseSpec, schemas: Map<string, unknown>): Json {
  if (schema === undefined) return { description };
  return {
    description,
    content: {
      'application/json': {
        schema: publishSchema(schema, schemas),
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}
