import type { Config, PayloadEncryption } from './config.js';

type Advised = Pick<
  Config,
  'baseUrl' | 'trustProxy' | 'isProduction' | 'payloadEncryption' | 'smtpUrl' | 'mailFrom'
>;

/** Warnings for the startup log about valid but probably unintended settings. */
export function adviceFor(config: Advised): string[] {
  const isClear = !config.baseUrl.startsWith('https:');
  const advice = config.isProduction ? adviceForProduction(config, isClear) : [];
  if (isClear || config.trustProxy > 0) return advice;
  return [
    'BASE_URL is https, so that a proxy is in front, and TRUST_PROXY is 0: all callers count as one address. ' +
      'Set it to the number of proxies.',
    ...advice,
  ];
}

function adviceForProduction({ payloadEncryption, smtpUrl, mailFrom }: Advised, isClear: boolean): string[] {
  const isMailLocal = /@localhost>?$/.test(mailFrom) || smtpUrl === 'smtp://127.0.0.1:1025';
  return [
    ...(payloadEncryption === null
      ? ['TEMPORAL_PAYLOAD_KEY is not set: names, addresses and phones are in clear in Temporal.']
      : []),
    ...adviceForClear(payloadEncryption?.clear ?? 'refuse'),
    ...(isMailLocal
      ? ['SMTP_URL or MAIL_FROM is the default of this machine: mails to recipients do not arrive.']
      : []),
    ...(isClear ? ['BASE_URL is http: links to labels, exports and tracking pages are sent in clear.'] : []),
  ];
}

function adviceForClear(clear: PayloadEncryption['clear']): string[] {
  switch (clear) {
    case 'refuse':
      return [];
    case 'accept':
      return [
        'TEMPORAL_PAYLOAD_CLEAR is accept: everybody who reaches Temporal can give runs their input. Take it out once ' +
          '"admin keys status" lists nothing in clear.',
      ];
    case 'write':
      return [
        'TEMPORAL_PAYLOAD_CLEAR is write: names, addresses and phones are in clear in Temporal. Set it to accept once ' +
          'every process has the key.',
      ];
  }
}
