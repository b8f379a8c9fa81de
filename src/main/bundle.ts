import { writeWorkflowBundle } from './workflow-bundle.js';

// --all also builds the bundle for encrypted payloads, which a worker otherwise builds at its first start.
await writeWorkflowBundle(false);
if (process.argv.includes('--all')) await writeWorkflowBundle(true);
