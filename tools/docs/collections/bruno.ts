import { createHash } from 'node:crypto';
import { type CollectedRequest, CREDENTIALS, VARIABLES } from './requests.js';

/** Secrets, which Bruno keeps out of the files that it writes. */
const SECRET = new Set(['client_secret']);

/** A collection for Bruno, as its own import and export have it. The credentials are on the collection. */
export function brunoCollection(requests: readonly CollectedRequest[]): object {
  const name = 'Parcelworks API v2';
  const folders = [...new Set(requests.map(({ folder }) => folder))];
  return {
    name,
    uid: uidOf(name),
    version: '1',
    root: {
      request: {
        headers: Object.entries(CREDENTIALS).map(([key, value]) => ({
          uid: uidOf(key),
          name: key,
          value,
          enabled: true,
        })),
        auth: { mode: 'none' },
      },
      meta: { name },
      docs: 'Fill in client_id and client_secret in the environment "Service".',
    },
    environments: [
      {
        uid: uidOf('environment'),
        name: 'Service',
        variables: Object.entries(VARIABLES)
          .filter(([variable, value]) => value !== '' || variable.startsWith('client_'))
          .map(([variable, value]) => ({
            uid: uidOf(`variable ${variable}`),
            name: variable,
            value,
            type: 'text',
            enabled: true,
            secret: SECRET.has(variable),
          })),
      },
    ],
    items: folders.map((folder, index) => ({
      uid: uidOf(`folder ${folder}`),
      name: folder,
      type: 'folder',
      seq: index + 1,
      // An import keeps the order of a folder only where it has this.
      root: { meta: { name: folder } },
      items: requests.filter((one) => one.folder === folder).map(itemOf),
    })),
  };
}

function itemOf(request: CollectedRequest, index: number): object {
  const { name, method, path, docs, headers, query, params, body, kept } = request;
  const of = `${method} ${path}`;
  const pair = (type?: string) => (one: CollectedRequest['query'][number]) => ({
    uid: uidOf(`${of} ${one.name}`),
    name: one.name,
    value: one.value,
    description: one.description,
    enabled: one.isSent,
    ...(type === undefined ? {} : { type }),
  });
  const sent = query.filter(({ isSent }) => isSent).map((one) => `${one.name}=${one.value}`);
  const lines = Object.entries(kept).map(
    ([variable, keys]) => `if (res.status < 300) bru.setVar('${variable}', res.body.${keys});`,
  );
  return {
    uid: uidOf(of),
    name,
    type: 'http-request',
    seq: index + 1,
    request: {
      method,
      url: `{{base_url}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
      headers: headers.map(pair()),
      params: [...params.map(pair('path')), ...query.map(pair('query'))],
      auth: { mode: 'none' },
      body: body === null ? { mode: 'none' } : { mode: 'json', json: body },
      script: { req: null, res: lines.length === 0 ? null : lines.join('\n') },
      docs,
    },
  };
}

/** The same at each build, in the form that Bruno asks for: 21 letters and digits. */
function uidOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 21);
}
