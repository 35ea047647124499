import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  type SpanOptions,
  trace,
} from '@opentelemetry/api'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

interface RecordedSpan {
  name: string
  readonly kind: number | undefined
  readonly attributes: Attributes
  status?: number
  isEnded?: boolean
}

const spans: RecordedSpan[] = []

/** A tracer that records spans, as one of an SDK. */
function startSpan(name: string, { kind, attributes }: SpanOptions = {}): Span {
  const recorded: RecordedSpan = { name, kind, attributes: { ...attributes } }
  spans.push(recorded)
  const span = {
    updateName: (changed: string) => ((recorded.name = changed), span),
    setAttribute: (key: string, value: string) => ((recorded.attributes[key] = value), span),
    setAttributes: (added: Attributes) => (Object.assign(recorded.attributes, added), span),
    setStatus: ({ code }: { code: number }) => ((recorded.status = code), span),
    end: () => (recorded.isEnded = true),
  }
  return span as unknown as Span
}

const startActiveSpan = (
  name: string,
  options: SpanOptions,
  run: (span: Span) => unknown,
): unknown => run(startSpan(name, options))

beforeAll(() => {
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as never })
  // The modules of this test find the tracer again.
  vi.resetModules()
})
afterAll(() => {
  trace.disable()
  vi.resetModules()
})

it('records requests, with the trace of the client, operation and status', async () => {
  let carrier: unknown
  propagation.setGlobalPropagator({
    inject: () => {},
    extract: (parent: Context, headers) => ((carrier = headers), parent),
    fields: () => [],
  })
  const { createTestApp } = await import('../test/createTestApp.ts')
  const response = await createTestApp().fetch('/v1/evm/balances/0x12', {
    headers: { traceparent: '00-1-2-01' },
  })
  propagation.disable()
  expect(response.status).toBe(400)
  expect(carrier).toMatchObject({ traceparent: '00-1-2-01' })
  expect(spans).toEqual([
    {
      name: 'GET balances',
      kind: 1,
      isEnded: true,
      attributes: {
        'http.request.method': 'GET',
        'http.response.status_code': 400,
        'headwater.operation': 'balances',
        'headwater.request_id': response.headers.get('x-request-id'),
      },
    },
  ])
  expect(context.active()).toBeDefined()
})

it('records calls and statements, and of their errors the kind only', async () => {
  spans.length = 0
  const { isTracing, traceCall, traceQuery } = await import('./tracing.ts')
  expect(isTracing).toBe(true)
  const failure = Object.assign(new Error('secret'), { code: '23505' })
  await expect(
    traceCall('eth_call', { 'headwater.requests': 2 }, () => Promise.reject(failure)),
  ).rejects.toBe(failure)
  const query = { sql: 'select $1', parameters: ['secret'] } as never
  traceQuery({ level: 'query', query, queryDurationMillis: 3 })
  traceQuery({ level: 'error', query, queryDurationMillis: 3, error: failure })
  const sent = { 'db.system.name': 'postgresql', 'db.query.text': 'select $1' }
  const failed = { status: 2, isEnded: true, kind: 2 }
  expect(spans).toEqual([
    { ...failed, name: 'eth_call', attributes: { 'headwater.requests': 2, 'error.type': '23505' } },
    { name: 'SELECT', kind: 2, isEnded: true, attributes: sent },
    { ...failed, name: 'SELECT', attributes: { ...sent, 'error.type': '23505' } },
  ])
})

it('does nothing without an SDK', async () => {
  trace.disable()
  vi.resetModules()
  spans.length = 0
  const { isTracing, traceCall } = await import('./tracing.ts')
  expect(isTracing).toBe(false)
  expect(await traceCall('eth_call', {}, () => Promise.resolve(1))).toBe(1)
  expect(spans).toEqual([])
})
