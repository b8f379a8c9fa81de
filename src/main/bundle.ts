import { writeWorkflowBundle } from './workflow-bundle.js';

// With --all also the one of those who encrypt, which a worker otherwise builds when it first starts.
await writeWorkflowBundle(false);
if (process.argv.includes('--all')) await writeWorkflowBundle(true);
