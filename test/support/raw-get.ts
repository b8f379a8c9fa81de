import { type IncomingHttpHeaders, request } from 'node:http';

/** A GET with exactly these headers and a body, which `fetch` refuses. Does not follow redirects. */
export function sendRawGet(
  url: string,
  headers: Record<string, string>,
  raw: string | Buffer = '',
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(raw);
    const sent = request(
      url,
      { method: 'GET', headers: { ...headers, ...(length === 0 ? {} : { 'content-length': length }) } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(raw);
  });
}
