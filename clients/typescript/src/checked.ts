import type { ClientOptions } from './options.js';

/**
 * A client's options, looked at before anything is sent: `fetch` refuses a bad header or address only when it sends,
 * and that would look like a creation whose answer was lost.
 * @throws TypeError that names the option and its rule
 */
export function checkedOptions(options: ClientOptions): ClientOptions {
  const { baseUrl, clientId, clientSecret, appName } = options;
  if (
    typeof baseUrl !== 'string' ||
    !/^https?:\/\/[^/\s?#@]+(\/[^\s?#]*)?$/i.test(baseUrl) ||
    !URL.canParse(baseUrl)
  ) {
    throw new TypeError('baseUrl must be an address such as https://shipping.example.com.');
  }
  for (const [name, value] of Object.entries({ clientId, clientSecret })) {
    if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
      throw new TypeError(`${name} must be given, in visible ASCII characters.`);
    }
  }
  if (appName !== undefined && !/^[\x20-\x7e]{1,100}$/.test(appName)) {
    throw new TypeError('appName must have 1 to 100 ASCII characters, such as my-shop/1.2.');
  }
  return { ...options, baseUrl: baseUrl.replace(/(\/api\/v2)?\/*$/, '') };
}

/** @throws TypeError where the service would refuse the key, or it could not be sent */
export function checkedKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new TypeError('key must have 1 to 255 visible ASCII characters, without blanks.');
}
