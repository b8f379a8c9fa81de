import { lionwheel } from '../../../src/carriers/lionwheel/index.js';
import { conformance } from '../conformance.js';
import { openSandbox } from '../harness.js';
import { lionwheelAccount } from '../support.js';

conformance(lionwheel, async () => {
  const harness = await openSandbox('lionwheel', (url, _token, settings) => lionwheelAccount(url, settings));
  return { ...harness, wire: { ...harness.wire, tellsNewestOnly: true } };
});
