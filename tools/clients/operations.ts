import { comment, type Schema, typeOf } from './types.js';

interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  $ref?: string;
}

type Content = Readonly<Record<string, { schema: Schema }>>;

/** An operation of the document; only what a client needs. */
export interface DocumentOperation {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  'x-repeatable'?: boolean;
}

const KEY = '#/components/parameters/IdempotencyKey';
const JSON_TYPE = 'application/json';
/** Of a page by number as of one by cursor. */
const PAGE = ['data', 'links', 'meta'];

/** The method of an operation: its path's parameters, then its body or else its query, then options. */
export function methodOf(method: string, path: string, operation: DocumentOperation): string {
  const { operationId, parameters, requestBody } = operation;
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = requestBody === undefined ? parameters.filter((one) => one.in === 'query') : [];
  const answer = answerOf(operation);
  const isList = PAGE.every((name) => answer?.properties?.[name] !== undefined);
  const body = answer === undefined ? '{ data: undefined }' : inline(typeOf(answer, true));
  const row = answer?.properties?.data?.items;
  const taken = [
    ...inPath.map(({ name, schema }) => `${variable(name)}: ${typeOf(schema ?? {}, false)}`),
    ...(requestBody === undefined ? [] : [bodyOf(requestBody)]),
    ...(inQuery.length === 0 ? [] : [`query: ${queryName(operationId)} = {}`]),
    'options: CallOptions = {}',
  ];
  const input = [
    ...(inPath.length === 0
      ? []
      : [`path: { ${inPath.map(({ name }) => `${name}: ${variable(name)}`).join(', ')} }`]),
    ...(requestBody === undefined ? [] : ['body']),
    ...(inQuery.length === 0 ? [] : [isList ? 'query: { ...query, ...page }' : 'query']),
  ];
  const called = `{ method: '${method.toUpperCase()}', path: '${path}', repeat: '${repeatOf(method, operation)}' }`;
  const call = `this.call<${body}>(${called}, { ${input.join(', ')} }, options)`;
  const [type, result] = isList
    ? [`Listing<${inline(typeOf(row ?? {}, true))}, ${body}>`, `new Listing((page) => ${call})`]
    : [`Promise<Answer<${body}>>`, call];
  return `${comment({ description: summaryOf(operation) })}${operationId}(${taken.join(', ')}): ${type} {\nreturn ${result};\n}\n`;
}

/** No argument may be named `export`. */
function variable(name = ''): string {
  return name === 'export' ? 'exportId' : name;
}

function answerOf({ responses }: DocumentOperation): Schema | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success?.content?.[JSON_TYPE]?.schema;
}

function bodyOf({ required, content }: { required: boolean; content: Content }): string {
  return `body${required ? '' : '?'}: ${typeOf(content[JSON_TYPE]?.schema ?? {}, false)}`;
}

/** The type of an operation's query; empty where it has none, or a body, which takes the same. */
export function queryType({ operationId, parameters, requestBody }: DocumentOperation): string {
  const inQuery = requestBody === undefined ? parameters.filter((one) => one.in === 'query') : [];
  if (inQuery.length === 0) return '';
  const members = inQuery.map(
    ({ name, schema, description }) =>
      `${comment(description === undefined ? {} : { description })}'${name}'?: ${typeOf(schema ?? {}, false)} | undefined;\n`,
  );
  return `/** Of {@link Parcelworks.${operationId}}. */\nexport interface ${queryName(operationId)} {\n${members.join('')}}\n`;
}

function queryName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
}

/** In one line, without what its parts say of themselves. */
function inline(type: string): string {
  return type.replace(/\/\*\*.*?\*\/\n/gs, '').replaceAll('\n', ' ');
}

/** A creation has a key; the other changes are repeated where the document says that this does nothing twice. */
function repeatOf(method: string, operation: DocumentOperation): string {
  if (operation.parameters.some(({ $ref }) => $ref === KEY)) return 'key';
  return method !== 'post' || operation['x-repeatable'] === true ? 'safe' : 'never';
}

function summaryOf({ summary, description }: DocumentOperation): string {
  return description === undefined ? `${summary}.` : `${summary}. ${description}`;
}
