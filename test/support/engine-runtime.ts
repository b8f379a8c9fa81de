import { DefaultLogger, Runtime } from '@temporalio/worker';

/**
 * Imported for its effect: installs the engine's runtime without a SIGTERM handler, so that the runner can end
 * a hanging test process.
 */
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
