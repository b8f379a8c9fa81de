import { writeWorkflowBundle } from './workflow-bundle.js';

await writeWorkflowBundle();
