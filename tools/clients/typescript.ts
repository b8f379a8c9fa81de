import { buildOpenApi } from '../../src/api/openapi.js';
import { v2Routes } from '../../src/api/v2/routes.js';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { ERROR_STATUS } from '../../src/domain/errors.js';
import { type DocumentOperation, methodOf, queryType } from './operations.js';
import { comment, reached, type Schema, typeOf } from './types.js';

interface Document {
  paths: Record<string, Record<string, DocumentOperation>>;
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
  components: { schemas: Record<string, Schema> };
}

const HEAD = "// Made by the build from the API's document. Change that instead.\n";

/** Texts of the modules that the client's build makes, by name. */
export function generatedModules(): Record<'types.ts' | 'parcelworks.ts', string> {
  const document: unknown = JSON.parse(JSON.stringify(buildOpenApi(v2Routes, SENT_EVENTS, '1.0.0')));
  if (!isDocument(document)) throw new Error('the document has no paths');
  return { 'types.ts': typesModule(document), 'parcelworks.ts': callsModule(document) };
}

function typesModule({ paths, webhooks, components: { schemas } }: Document): string {
  const answered = new Set<string>();
  for (const item of Object.values(paths))
    for (const { responses } of Object.values(item)) reached(responses, schemas, answered);
  const models = Object.entries(schemas).map(([name, schema]) => {
    const type = typeOf(schema, answered.has(name));
    const isObject = schema.properties !== undefined;
    return `${comment(schema)}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
  });
  const events = Object.values(webhooks).map(({ post }) =>
    typeOf(post.requestBody.content['application/json']?.schema ?? {}, true),
  );
  const codes = Object.keys(ERROR_STATUS).map((code) => `'${code}'`);
  return [
    HEAD,
    ...models,
    `/** A webhook's event. */\nexport type WebhookEvent =\n${events.map((one) => `| ${one}`).join('\n')};\n`,
    `/** Values of an error's \`code\` today. */\nexport type ErrorCode = ${codes.join(' | ')};\n`,
  ].join('\n');
}

function callsModule({ paths, components: { schemas } }: Document): string {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const methods = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => methodOf(method, path, operation)),
  );
  const code = methods.join('\n');
  const said = code.replace(/\/\*\*.*?\*\//gs, '');
  const used = Object.keys(schemas).filter((name) => new RegExp(`\\b${name}\\b`).test(said));
  return [
    HEAD,
    "import type { Answer } from '../answer.js';",
    "import { Caller } from '../caller.js';",
    "import { Listing } from '../listing.js';",
    "import type { CallOptions } from '../options.js';",
    `import type { ${used.join(', ')} } from './types.js';\n`,
    ...operations.map(queryType),
    '/** A client of one account. Its methods are the operations of the API, by their names in its document. */',
    `export class Parcelworks extends Caller {\n${code}}\n`,
  ].join('\n');
}

function isDocument(json: unknown): json is Document {
  return typeof json === 'object' && json !== null && 'paths' in json && 'webhooks' in json;
}
