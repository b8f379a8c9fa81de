export interface HttpAnswer {
  status: number;
  headers: Headers;
  text: string;
  // Each test asserts the shape.
  body: any;
}

export interface SendOptions {
  as?: { headers: Record<string, string> };
  headers?: Record<string, string>;
  json?: unknown;
  raw?: string | Buffer;
}

/** Sends one request and reads the whole response. */
export async function send(
  url: string,
  method: string,
  { as, headers = {}, json, raw }: SendOptions = {},
): Promise<HttpAnswer> {
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...as?.headers,
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
  };
}
