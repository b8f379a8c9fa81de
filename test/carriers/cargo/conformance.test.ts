import { cargo } from '../../../src/carriers/cargo/index.js';
import { conformance } from '../conformance.js';
import { openSandbox } from '../harness.js';
import { cargoAccount } from '../support.js';

conformance(cargo, async () => {
  const harness = await openSandbox('cargo', (url, _token, settings) => cargoAccount(url, settings));
  return { ...harness, wire: { ...harness.wire, tellsNewestOnly: true } };
});
