import { getpackage } from '../../../src/carriers/getpackage/index.js';
import { conformance } from '../conformance.js';
import { openSandbox } from '../harness.js';
import { getpackageAccount } from '../support.js';

conformance(getpackage, async () => {
  const opened = await openSandbox('getpackage', (url, token, settings) =>
    getpackageAccount(url, settings, { token }),
  );
  return { ...opened, wire: { ...opened.wire, tellsNewestOnly: true } };
});
