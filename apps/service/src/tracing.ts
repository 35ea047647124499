import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api'
import type { LogEvent } from 'kysely'

const instrumentation = 'headwater'

/** The provider of the API, which forwards to that of an SDK once one is registered. */
interface ProxyProvider extends TracerProvider {
  getDelegateTracer?(name: string): Tracer | undefined
}

/** The tracer of the SDK that was loaded before this program; undefined without one. */
function findTracer(): Tracer | undefined {
  const provider: ProxyProvider = trace.getTracerProvider()
  return provider.getDelegateTracer
    ? provider.getDelegateTracer(instrumentation)
    : provider.getTracer(instrumentation)
}

const tracer = findTracer()

/** Whether an SDK of OpenTelemetry was loaded before this program (`node --import`). Otherwise nothing is traced. */
export const isTracing = tracer !== undefined

/**
 * Runs a function in a span of a request that this process serves, as part of the trace that the headers name.
 *
 * @param run - receives the span, to add attributes to it.
 */
export async function traceRequest(
  headers: Readonly<Record<string, unknown>>,
  run: (span: Span) => Promise<void>,
): Promise<void> {
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  await context.with(parent, () => runInSpan('request', SpanKind.SERVER, {}, run))
}

/** Runs a function in a span of a call of another program. */
export async function traceCall<Result>(
  name: string,
  attributes: Attributes,
  run: () => Promise<Result>,
): Promise<Result> {
  return await (tracer ? runInSpan(name, SpanKind.CLIENT, attributes, run) : run())
}

/** Records the span of a statement, without its parameters. For the option `log` of Kysely. */
export function traceQuery({ level, query, queryDurationMillis, ...event }: LogEvent): void {
  const endTime = Date.now()
  const span = tracer?.startSpan(/^\w+/.exec(query.sql)?.[0].toUpperCase() ?? 'query', {
    kind: SpanKind.CLIENT,
    startTime: endTime - queryDurationMillis,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': query.sql },
  })
  if (level === 'error' && 'error' in event) {
    setError(span, event.error)
  }
  span?.end(endTime)
}

async function runInSpan<Result>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  run: (span: Span) => Promise<Result>,
): Promise<Result> {
  return await (tracer as Tracer).startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await run(span)
    } catch (error) {
      setError(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Without the message, which may contain values. */
function setError(span: Span | undefined, error: unknown): void {
  span?.setStatus({ code: SpanStatusCode.ERROR })
  span?.setAttribute(
    'error.type',
    String((error as { code?: unknown }).code ?? (error as Error).name),
  )
}
