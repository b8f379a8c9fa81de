import test from 'ava';
import { adviceFor } from '../../src/config/advice.js';

const DEMO = {
  isProduction: false,
  payloadEncryption: null,
  smtpUrl: 'smtp://127.0.0.1:1025',
  mailFrom: 'Parcelworks <no-reply@localhost>',
};

test('adviceFor: warns about an untrusted proxy', (t) => {
  const [advice, ...others] = adviceFor({ ...DEMO, baseUrl: 'https://parcels.test', trustProxy: 0 });

  t.regex(advice ?? '', /TRUST_PROXY is 0: all callers count as one address/);
  t.deepEqual(others, []);
  t.deepEqual(adviceFor({ ...DEMO, baseUrl: 'https://parcels.test', trustProxy: 1 }), []);
  t.deepEqual(adviceFor({ ...DEMO, baseUrl: 'http://127.0.0.1:3000', trustProxy: 0 }), []);
});

test('adviceFor: warns once about each setting that only a demo may omit', (t) => {
  const production = { ...DEMO, isProduction: true, trustProxy: 1 };
  const whole = {
    ...production,
    payloadEncryption: { keys: new Map([['k1', Buffer.alloc(32)]]), clear: 'refuse' as const },
    smtpUrl: 'smtp://mail.test',
    mailFrom: 'Acme <parcels@acme.test>',
  };

  const advice = adviceFor({ ...production, baseUrl: 'http://parcels.test' });

  t.deepEqual(
    advice.map((line) => line.split(' ')[0]),
    ['TEMPORAL_PAYLOAD_KEY', 'SMTP_URL', 'BASE_URL'],
  );
  t.deepEqual(adviceFor({ ...whole, baseUrl: 'https://parcels.test' }), []);
  for (const clear of ['accept', 'write'] as const) {
    const payloadEncryption = { keys: new Map([['k1', Buffer.alloc(32)]]), clear };
    const [aboutClear] = adviceFor({ ...whole, baseUrl: 'https://parcels.test', payloadEncryption });
    t.true(aboutClear?.startsWith(`TEMPORAL_PAYLOAD_CLEAR is ${clear}`), aboutClear);
  }
});
