import { DefaultLogger, Runtime } from '@temporalio/worker';

/**
 * The engine's runtime of a test process, set up by importing this file. It leaves SIGTERM alone: with a handler of its
 * own, a test process that does not end by itself could not be ended by the runner either.
 */
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
