import { run } from '../../../src/carriers/run/index.js';
import { conformance } from '../conformance.js';
import { openSandbox } from '../harness.js';
import { runAccount } from '../support.js';

conformance(run, () => openSandbox('run', (url, token, settings) => runAccount(url, settings, { token })));
