import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

export { SpanKind };

const tracer = trace.getTracer('parcelworks');

/** Attributes of a span: ids, kinds and counts. No text of a caller or carrier, no address, no path. */
interface SpanOptions {
  kind: SpanKind;
  attributes?: Attributes;
  /** `traceparent` of a caller elsewhere; without it the present span is the parent. */
  traceparent?: string | undefined;
}

/**
 * Does the work inside a span. A span of work that fails names the kind of failure, `kindOf(error)`, and not its text.
 * Costs next to nothing while traces are off.
 */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
  kindOf: (error: unknown) => string = nameOf,
): Promise<T> {
  const span = openSpan(name, options);
  try {
    return await withSpan(span, () => work(span));
  } catch (error) {
    failSpan(span, kindOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Begins a span, which its caller ends. */
export function openSpan(name: string, { kind, attributes = {}, traceparent }: SpanOptions): Span {
  const parent =
    traceparent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, { traceparent });
  return tracer.startSpan(name, { kind, attributes }, parent);
}

/** Does the work as part of the span. */
export function withSpan<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** Marks a span as failed by a kind of error. */
export function failSpan(span: Span, kind: string): void {
  span.setAttribute('error.type', kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** `traceparent` of the present span, for who is called; empty while traces are off. */
export function traceHeaders(): { traceparent?: string } {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent === undefined ? {} : { traceparent: carrier.traceparent };
}

/** Trace id of the present span; undefined while traces are off. */
export function presentTraceId(): string | undefined {
  return trace.getSpanContext(context.active())?.traceId;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
