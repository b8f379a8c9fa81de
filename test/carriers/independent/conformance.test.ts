import { independent } from '../../../src/carriers/independent/index.js';
import { conformance } from '../conformance.js';
import { account } from '../support.js';

conformance(independent, async () => ({ account: account(), wire: null, close: async () => undefined }));
