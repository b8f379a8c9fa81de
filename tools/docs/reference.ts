import { buildOpenApi } from '../../src/api/openapi.js';
import type { Json } from '../../src/api/openapi-document.js';
import { buildV1OpenApi } from '../../src/api/v1/openapi.js';
import { v1Routes } from '../../src/api/v1/routes.js';
import { v2Routes } from '../../src/api/v2/routes.js';
import { SENT_EVENTS } from '../../src/api/v2/webhooks/events.js';
import { textAt } from '../../src/lib/json.js';
import { at, listAt } from './json.js';
import type { WrittenPage } from './library.js';
import { fieldsTable, parametersTable } from './reference-fields.js';

/** A version of the API: its pages begin with `path`. */
interface PublishedApi {
  path: string;
  title: string;
  document: Json;
}

/** Both documents. The version of the service is of no use to their readers here. */
export function publishedApis(): { v2: PublishedApi; v1: PublishedApi } {
  return {
    v2: { path: '/docs/v2', title: 'API v2', document: buildOpenApi(v2Routes, SENT_EVENTS, '2') },
    v1: { path: '/docs/v1', title: 'API v1', document: buildV1OpenApi(v1Routes, '1') },
  };
}

/** An operation of a document. */
export interface PublishedOperation {
  method: string;
  path: string;
  tag: string;
  operation: unknown;
}

/** All operations, in the order of the document. */
export function operationsOf(document: Json): PublishedOperation[] {
  return Object.entries(at(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(at(methods)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      tag: textAt({ tag: listAt(operation, 'tags')[0] }, 'tag'),
      operation,
    })),
  );
}

/** The references of both APIs as Markdown: a page that leads, and one for each group of operations. */
export function referencePages(): WrittenPage[] {
  const { v2, v1 } = publishedApis();
  return [v2, v1].flatMap(pagesOf);
}

function pagesOf(api: PublishedApi): WrittenPage[] {
  const { path, title, document } = api;
  const operations = operationsOf(document);
  const groups = listAt(document, 'tags').flatMap((tag) => {
    const own = operations.filter((one) => one.tag === textAt(tag, 'name'));
    return own.length === 0 ? [] : [groupPage(api, tag, own)];
  });
  const description = textAt(document, 'info', 'description');
  const list = groups.map((group) => `- [${group.name}](${group.path}): ${group.lead}`).join('\n');
  const base = textAt({ server: listAt(document, 'servers')[0] }, 'server', 'url');
  const markdown = `# ${title}

${description}

Addresses begin with \`${base}\`.

${list}
`;
  return [{ path, title: `${title}, in short`, lead: 'What all requests share.', markdown }, ...groups];
}

function groupPage(api: PublishedApi, tag: unknown, operations: readonly PublishedOperation[]) {
  const name = textAt(tag, 'name');
  const lead = textAt(tag, 'description');
  const base = textAt({ server: listAt(api.document, 'servers')[0] }, 'server', 'url');
  const markdown = `# ${api.title}: ${name}

${lead} Addresses begin with \`${base}\`; [what all requests share](${api.path}).

${operations.map((one) => operationText(api.document, one)).join('\n\n')}
`;
  const path = `${api.path}/${name.toLowerCase().replaceAll(' ', '-')}`;
  return { path, name, title: `${api.title}: ${name}`, lead, markdown };
}

function operationText(document: Json, { method, path, operation }: PublishedOperation): string {
  const parts = [
    `## ${method} ${path}`,
    `${textAt(operation, 'summary')}\n\n${textAt(operation, 'description')}`.trim(),
    parametersTable(document, listAt(operation, 'parameters')),
    bodyText(document, at(operation, 'requestBody', 'content', 'application/json'), 'Body'),
    ...Object.entries(at(operation, 'responses')).map(([status, answer]) =>
      answerText(document, status, answer),
    ),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A success with its fields and an example; a failure in a line. */
function answerText(document: Json, status: string, answer: unknown): string {
  const description = textAt(answer, 'description');
  if (!status.startsWith('2')) return `- **${status}** ${description}`;
  const headers = Object.keys(at(answer, 'headers')).filter((name) => !COMMON_HEADERS.test(name));
  const named = headers.length === 0 ? '' : ` Headers: ${headers.map((name) => `\`${name}\``).join(', ')}.`;
  const body = bodyText(document, at(answer, 'content', 'application/json'), '');
  return [`### Answer ${status}`, `${description}${named}`, body].filter((part) => part !== '').join('\n\n');
}

/** Headers documented once, for all answers. */
const COMMON_HEADERS = /^X-R|^ETag$/;

function bodyText(document: Json, content: Json, heading: string): string {
  if (content['schema'] === undefined) return '';
  const { example } = content;
  const shown = example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
  const title = heading === '' ? '' : `### ${heading}`;
  return [title, fieldsTable(document, content['schema'], heading !== ''), shown]
    .filter((part) => part !== '')
    .join('\n\n');
}
