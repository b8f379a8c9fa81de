import type { Config } from '../config/config.js';

/**
 * Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT`; without it there are none. Baggage of callers is not taken over: it may
 * hold anything. `close` sends what is left.
 */
export async function startTracing(
  process: 'api' | 'worker',
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
): Promise<{ close(): Promise<void> }> {
  if (otlpEndpoint === null) return { close: async () => undefined };
  // Loading the exporter takes a quarter of a second of processor time.
  const { sendSpans } = await import('./spans.js');
  return sendSpans(`parcelworks-${process}`, otlpEndpoint);
}
