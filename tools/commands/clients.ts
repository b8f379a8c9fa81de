import { buildTypescriptClient, TYPESCRIPT_CLIENT } from '../clients/build.js';
import { runMain, step } from '../launcher/progress.js';

runMain(async () => {
  await step(`TypeScript client made in ${TYPESCRIPT_CLIENT}`, buildTypescriptClient);
  return 0;
});
