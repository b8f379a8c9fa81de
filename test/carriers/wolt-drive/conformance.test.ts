import { woltDrive } from '../../../src/carriers/wolt-drive/index.js';
import { conformance } from '../conformance.js';
import { openSandbox } from '../harness.js';
import { woltAccount } from '../support.js';

conformance(woltDrive, () =>
  openSandbox('wolt_drive', (url, token, settings) => woltAccount(url, settings, { merchant_key: token })),
);
