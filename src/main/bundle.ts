import { writeWorkflowBundle } from './workflow-bundle.js';

// A worker builds a bundle that is missing at its first start.
const isAll = process.argv.includes('--all');
const encrypts = process.argv.includes('--encrypting');
if (isAll || !encrypts) await writeWorkflowBundle(false);
if (isAll || encrypts) await writeWorkflowBundle(true);
