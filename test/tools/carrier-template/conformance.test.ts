import { acme } from '../../../tools/carrier-template/index.js';
import { acmeProtocol } from '../../../tools/carrier-template/sandbox.js';
import { conformance } from '../../carriers/conformance.js';
import { openSandbox } from '../../carriers/harness.js';
import { account } from '../../carriers/support.js';

conformance(acme, () =>
  openSandbox(acmeProtocol, (url, token, settings) => account({ base_url: url, ...settings }, { token })),
);
