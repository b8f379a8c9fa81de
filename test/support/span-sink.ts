import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { listen } from './local-server.js';

/** A span as a collector gets it. `attributes`: by name, as text. */
export interface SunkSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  attributes: Record<string, string>;
  /** 2 is an error. */
  status: { code?: number; message?: string };
}

/** An OTLP collector that keeps what it gets; `raw` is every body. */
export async function startSpanSink(): Promise<{
  url: string;
  spans: SunkSpan[];
  raw: string[];
  close(): Promise<void>;
}> {
  const spans: SunkSpan[] = [];
  const raw: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      raw.push(body);
      spans.push(...spansIn(JSON.parse(body)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return { ...(await listen(server)), spans, raw };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  return await text(request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request);
}

function spansIn(body: any): SunkSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap((scope: any) =>
      scope.spans.map((span: any) => ({
        ...span,
        parentSpanId: span.parentSpanId ?? '',
        service: attributesOf(resource.attributes)['service.name'],
        attributes: attributesOf(span.attributes),
      })),
    ),
  );
}

function attributesOf(list: any[]): Record<string, string> {
  return Object.fromEntries(list.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}
