import type { Config } from './config.js';

/** What is valid and yet most likely not meant, a sentence each, for the log of a start. */
export function adviceFor({ baseUrl, trustProxy }: Pick<Config, 'baseUrl' | 'trustProxy'>): string[] {
  if (!baseUrl.startsWith('https:') || trustProxy > 0) return [];
  return [
    'BASE_URL is https, so that a proxy is in front, and TRUST_PROXY is 0: all callers count as one address. ' +
      'Set it to the number of proxies.',
  ];
}
