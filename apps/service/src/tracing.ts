import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, Span, SpanKind, Tracer, TracerProvider } from '@opentelemetry/api'
import type { LogEvent } from 'kysely'

const instrumentation = 'headwater'
/** Where all versions 1.x of the API register the SDK that a program loads. */
const registration = Symbol.for('opentelemetry.js.api.1')

/** The provider of the API, which forwards to that of an SDK once one is registered. */
interface ProxyProvider extends TracerProvider {
  getDelegateTracer?(name: string): Tracer | undefined
}

interface Tracing {
  readonly api: typeof OpenTelemetry
  /** Of the SDK. */
  readonly tracer: Tracer
}

/**
 * Finds the SDK that was loaded before this program; undefined without one. Only then is the API loaded, which consists of a
 * hundred modules.
 */
async function findTracing(): Promise<Tracing | undefined> {
  if (!(registration in globalThis)) {
    return undefined
  }
  const api = await import('@opentelemetry/api')
  const provider: ProxyProvider = api.trace.getTracerProvider()
  const tracer = provider.getDelegateTracer
    ? provider.getDelegateTracer(instrumentation)
    : provider.getTracer(instrumentation)
  return tracer && { api, tracer }
}

const tracing = await findTracing()

/** Whether an SDK of OpenTelemetry was loaded before this program (`node --import`). Otherwise nothing is traced. */
export const isTracing = tracing !== undefined

/**
 * Runs a function in a span of a request that this process serves, as part of the trace that the headers name.
 *
 * @param run - receives the span, to add attributes to it.
 */
export async function traceRequest(
  headers: Readonly<Record<string, unknown>>,
  run: (span: Span) => Promise<void>,
): Promise<void> {
  const { context, propagation, ROOT_CONTEXT, SpanKind } = (tracing as Tracing).api
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  await context.with(parent, () => runInSpan('request', SpanKind.SERVER, {}, run))
}

/** Runs a function in a span of a call of another program. */
export async function traceCall<Result>(
  name: string,
  attributes: Attributes,
  run: () => Promise<Result>,
): Promise<Result> {
  return await (tracing ? runInSpan(name, tracing.api.SpanKind.CLIENT, attributes, run) : run())
}

/** Records the span of a statement, without its parameters. For the option `log` of Kysely. */
export function traceQuery({ level, query, queryDurationMillis, ...event }: LogEvent): void {
  const { api, tracer } = tracing as Tracing
  const endTime = Date.now()
  const span = tracer.startSpan(/^\w+/.exec(query.sql)?.[0].toUpperCase() ?? 'query', {
    kind: api.SpanKind.CLIENT,
    startTime: endTime - queryDurationMillis,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': query.sql },
  })
  if (level === 'error' && 'error' in event) {
    setError(span, event.error)
  }
  span.end(endTime)
}

async function runInSpan<Result>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  run: (span: Span) => Promise<Result>,
): Promise<Result> {
  const { tracer } = tracing as Tracing
  return await tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
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
function setError(span: Span, error: unknown): void {
  span.setStatus({ code: (tracing as Tracing).api.SpanStatusCode.ERROR })
  span.setAttribute(
    'error.type',
    String((error as { code?: unknown }).code ?? (error as Error).name),
  )
}
