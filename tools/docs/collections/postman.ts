import { type CollectedRequest, CREDENTIALS, VARIABLES } from './requests.js';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** A collection for Postman and what reads its format. Both credentials are on every request: it has one place for one key. */
export function postmanCollection(requests: readonly CollectedRequest[]): object {
  const folders = [...new Set(requests.map(({ folder }) => folder))];
  return {
    info: {
      name: 'Parcelworks API v2',
      description: 'Fill in client_id and client_secret among the variables of the collection.',
      schema: SCHEMA,
    },
    variable: Object.entries(VARIABLES).map(([key, value]) => ({ key, value })),
    item: folders.map((name) => ({
      name,
      item: requests.filter(({ folder }) => folder === name).map(itemOf),
    })),
  };
}

function itemOf(request: CollectedRequest): object {
  const { name, method, docs, headers, body, kept } = request;
  const credentials = Object.entries(CREDENTIALS).map(([key, value]) => ({ key, value }));
  const type = body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }];
  const lines = Object.entries(kept).map(
    ([variable, path]) => `  pm.collectionVariables.set('${variable}', pm.response.json().${path});`,
  );
  const script = ['if (pm.response.code < 300) {', ...lines, '}'];
  return {
    name,
    ...(lines.length === 0
      ? {}
      : { event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }] }),
    request: {
      method,
      header: [...credentials, ...type, ...headers.map(pairOf)],
      url: urlOf(request),
      description: docs,
      ...(body === null ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  };
}

function urlOf({ path, query, params }: CollectedRequest): object {
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`);
  return {
    raw: `{{base_url}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
    host: ['{{base_url}}'],
    path: path.slice(1).split('/'),
    query: query.map(pairOf),
    variable: params.map(({ name, value, description }) => ({ key: name, value, description })),
  };
}

function pairOf({ name, value, description, isSent }: CollectedRequest['query'][number]): object {
  return { key: name, value, description, disabled: !isSent };
}
