import { runAdmin } from './run-admin.js';

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
});

process.exitCode = await runAdmin(process.argv.slice(2));
