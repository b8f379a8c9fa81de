import { buildDocument, type Json, jsonContent, parametersIn, type Schemas } from '../openapi-document.js';
import { publishSchema } from '../openapi-schema.js';
import type { ResponseSpec } from '../operation.js';
import type { V1Route } from './route.js';

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

const SECURITY: Readonly<Record<V1Route['guard'], Json[]>> = {
  none: [],
  license: [],
  user: [{ bearer: [] }, {}],
  app: [{ appSecret: [] }],
  recipient: [{ appSecret: [], bearer: [] }],
};

/** The OpenAPI 3.1 document of API v1. */
export function buildV1OpenApi(routes: readonly V1Route[], version: string): Json {
  const title = 'Parcelworks API v1 (legacy)';
  const about = { title, version, description: INTRODUCTION, base: '/api', schemas: new Map() };
  return buildDocument(about, routes, operation, {
    security: [],
    tags: TAGS,
    components: {
      securitySchemes: {
        appSecret: { type: 'apiKey', in: 'header', name: 'X-App-Secret' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  });
}

function operation(route: V1Route, schemas: Schemas): Json {
  const isGet = route.method === 'get';
  return {
    security: SECURITY[route.guard],
    parameters: [
      ...pathParameters(route.path),
      ...(isGet ? parametersIn('query', route.input, schemas) : []),
    ],
    ...(isGet ? {} : { requestBody: requestBody(route, schemas) }),
    responses: Object.fromEntries(
      Object.entries(route.responses).map(([status, spec]) => [status, response(spec, schemas)]),
    ),
  };
}

function requestBody({ input, inputExample }: V1Route, schemas: Schemas): Json {
  const form = { schema: publishSchema(input, schemas) };
  const content = jsonContent(input, inputExample, schemas);
  return { required: true, content: { ...content, 'application/x-www-form-urlencoded': form } };
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

function response({ description, schema, example }: ResponseSpec, schemas: Schemas): Json {
  return schema === undefined
    ? { description }
    : { description, content: jsonContent(schema, example, schemas) };
}
