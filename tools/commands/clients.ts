import { buildTypescriptClient, TYPESCRIPT_CLIENT } from '../clients/build.js';
import { buildPlugin, PLUGIN_ZIP } from '../clients/woocommerce.js';
import { runMain, step } from '../launcher/progress.js';

runMain(async () => {
  await step(`TypeScript client made in ${TYPESCRIPT_CLIENT}`, buildTypescriptClient);
  await step(`WordPress plugin made: ${PLUGIN_ZIP}`, buildPlugin);
  return 0;
});
