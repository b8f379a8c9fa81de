import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Config } from '../config/config.js';
import { LIMITS } from '../lib/limits/values.js';

/**
 * Sends spans to `OTEL_EXPORTER_OTLP_ENDPOINT`; without it there are none. Baggage of callers is not taken over: it may
 * hold anything. `close` sends what is left.
 */
export function startTracing(
  process: 'api' | 'worker',
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
): { close(): Promise<void> } {
  if (otlpEndpoint === null) return { close: async () => undefined };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `parcelworks-${process}` }),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({ url: `${otlpEndpoint}/v1/traces`, timeoutMillis: LIMITS.worker.spansMs }),
      ),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  // A collector that is away must not hold up a stop.
  return { close: () => provider.shutdown().catch(() => undefined) };
}
