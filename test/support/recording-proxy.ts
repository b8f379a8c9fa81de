import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './local-server.js';

/** A forwarded request. `json`: its parsed body, or null. */
interface Recorded {
  method: string;
  path: string;
  json: any;
  traceparent: string;
}

/** Forwards requests to `target` and records them. */
export async function startRecordingProxy(
  target: string,
): Promise<{ url: string; requests: Recorded[]; close(): Promise<void> }> {
  const requests: Recorded[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void passOn(request, Buffer.concat(chunks).toString('utf8'), response));
  });
  const passOn = async (
    { method = 'GET', url: path = '/', headers }: IncomingMessage,
    text: string,
    response: ServerResponse,
  ) => {
    const json = text === '' ? null : JSON.parse(text);
    requests.push({ method, path, json, traceparent: String(headers.traceparent ?? '') });
    const { authorization = '', 'content-type': type = '', accept = '' } = headers;
    const answer = await fetch(`${target}${path}`, {
      method,
      headers: { authorization, 'content-type': type, accept },
      ...(text === '' ? {} : { body: text }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  };
  return { ...(await listen(server)), requests };
}
