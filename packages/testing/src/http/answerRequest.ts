import { API_KEY_HEADER } from '@headwater/contract'
import type { FaultOf } from '../faults/Fault.ts'
import type { FakeOperation } from '../operations/FakeOperation.ts'
import { fakeOperations } from '../operations/fakeOperations.ts'
import { hexOf } from '../world/hash.ts'
import { answerOther } from './answerOther.ts'
import { answerPage } from './answerPage.ts'
import { decodeParameters } from './decodeParameters.ts'
import { allowedMethods, everyOrigin, header } from './headers.ts'
import { readRequest } from './readRequest.ts'
import { RefusalError } from './RefusalError.ts'
import type { FakeExchange, Reply } from './Reply.ts'
import type { ServiceState } from './ServiceState.ts'
import { describeStatus } from './statuses.ts'

/** The operations by their paths, under whatever base address. */
const routes = fakeOperations.map((operation) => ({
  operation,
  pattern: new RegExp(`^(?<base>.*)${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/**
 * Answers a request: path, method, key, faults, rate, parameters and chains, units, answer, in this order. All of it at
 * once, so that what is answered is as of when it was asked, however late it arrives.
 */
export function answerRequest(state: ServiceState, exchange: FakeExchange): Reply {
  const { method, url } = exchange
  const request = new URL(url)
  const id = `fake-${state.requests.length + 1}`
  const headers: Record<string, string> = {
    ...everyOrigin,
    [header.requestId]: exchange.headers.get(header.requestId) ?? id,
    [header.cost]: '0',
  }
  const route = findRoute(request.pathname)
  const log = { method, url, operation: route?.operation.name, parameters: {} }
  const done = (reply: Reply, units = 0): Reply => {
    const status = reply.failure === 'network' ? 0 : reply.status
    state.requests.push({ ...log, status, units })
    state.units += units
    return method === 'HEAD' ? { ...reply, body: undefined } : reply
  }
  try {
    const other = route ? undefined : answerOther(request.pathname, state.world)
    if (!route && !other) throw new RefusalError(404, ...describeStatus(404))
    if (method === 'OPTIONS') return done({ status: 204, headers: preflight(headers, exchange) })
    if (method !== 'GET' && method !== 'HEAD')
      throw new RefusalError(405, 'METHOD_NOT_ALLOWED', `${method} is not answered here`, {
        headers: { Allow: allowedMethods },
      })
    if (other) {
      headers['Content-Type'] = other.type
      return done({ status: 200, headers, body: other.body })
    }
    if (route) {
      const reply = answerOperation(state, exchange, { ...route, request, log, headers })
      return done(reply, reply.units)
    }
    throw new RefusalError(500, ...describeStatus(500))
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return done(refuse(error, headers))
  }
}

interface Route {
  readonly operation: FakeOperation
  readonly base: string
  readonly fromPath: Readonly<Record<string, string>>
}

function findRoute(path: string): Route | undefined {
  for (const { operation, pattern } of routes) {
    const groups = pattern.exec(path)?.groups
    if (!groups) continue
    const { base = '', ...rest } = groups
    const fromPath = Object.entries(rest).map(([name, text]) => [name, decode(text)])
    return { operation, base, fromPath: Object.fromEntries(fromPath) as Record<string, string> }
  }
  return undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface OperationRequest extends Route {
  readonly request: URL
  readonly log: { parameters: object }
  readonly headers: Record<string, string>
}

function answerOperation(
  state: ServiceState,
  exchange: FakeExchange,
  { operation, base, fromPath, request, log, headers }: OperationRequest,
): Reply & { readonly units: number } {
  const { name } = operation
  const { faults, quota, world } = state
  checkKey(exchange.headers.get(API_KEY_HEADER), state.key)
  const tellRemaining = (units: number) => {
    if (quota !== undefined) headers[header.remaining] = String(quota - state.units - units)
  }
  tellRemaining(0)
  // Whatever happens to the answer, it is late.
  const delay = faults.take(name, 'slow')?.fault.delay
  const held = faults.take(name, 'hold')?.healed
  const late = { delay, held }
  const parameters = decodeParametersOf(operation, fromPath, request, log)
  const refusal = faults.take(name, 'status', 'html', 'network')?.fault
  if (refusal) return { ...refuseByFault(refusal, headers), ...late, units: 0 }

  try {
    checkRate(state, headers)
    if (parameters instanceof RefusalError) throw parameters
    const accepted = readRequest(operation, parameters, world.chains)
    const units = accepted.cost(accepted.chains.length)
    if (quota !== undefined && state.units + units > quota)
      throw new RefusalError(
        402,
        'UNITS_EXHAUSTED',
        `The request costs ${units} compute units, more than the API key has left`,
      )
    const baseUrl = request.origin + base
    const made = answerPage(operation, parameters, accepted, { world, baseUrl, faults })
    const body = JSON.stringify(made)
    const tag = tagOf(made)
    tellRemaining(units)
    Object.assign(headers, {
      [header.cost]: String(units),
      [header.blocks]: accepted.chains.map(({ id }) => `${id}=${world.block}`).join(','),
      [header.tag]: `W/${tag}`,
      'Cache-Control': 'private, no-cache',
    })
    if (holdsTag(exchange.headers.get('If-None-Match'), tag))
      return { status: 304, headers, ...late, units }
    headers['Content-Type'] = 'application/json'
    const failure = faults.take(name, 'cut') && ('cut' as const)
    return { status: 200, headers, body, failure, ...late, units }
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return { ...refuse(error, headers), ...late, units: 0 }
  }
}

/** The parameters, or why they cannot be read: a fault comes before that is told. */
function decodeParametersOf(
  operation: FakeOperation,
  fromPath: Route['fromPath'],
  { searchParams }: URL,
  log: OperationRequest['log'],
): Record<string, unknown> | RefusalError {
  try {
    const parameters = decodeParameters(operation, fromPath, searchParams)
    log.parameters = parameters
    return parameters
  } catch (error) {
    if (error instanceof RefusalError) return error
    throw error
  }
}

function checkKey(given: string | null, key: string): void {
  if (given === null || given === '')
    throw new RefusalError(
      401,
      'API_KEY_MISSING',
      `Send an API key in the header ${API_KEY_HEADER}`,
    )
  if (given !== key) throw new RefusalError(401, ...describeStatus(401))
}

function checkRate({ limiter, rate }: ServiceState, headers: Record<string, string>): void {
  const { remaining, reset, wait } = limiter.take()
  Object.assign(headers, {
    [header.rateLimit]: String(rate.requests),
    [header.rateRemaining]: String(remaining),
    [header.rateReset]: String(reset),
  })
  if (wait > 0)
    throw new RefusalError(429, ...describeStatus(429), {
      headers: { [header.retryAfter]: String(wait) },
    })
}

function refuse(refusal: RefusalError, headers: Record<string, string>): Reply {
  const { status, code, message, param } = refusal
  const request_id = headers[header.requestId]
  return {
    status,
    headers: {
      ...headers,
      ...refusal.headers,
      'Cache-Control': 'no-store',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ error: message, message, code, ...(param && { param }), request_id }),
  }
}

function refuseByFault(
  fault: FaultOf<'status' | 'html' | 'network'>,
  headers: Record<string, string>,
): Reply {
  if (fault.kind === 'network') return { status: 0, headers: {}, failure: 'network' }
  if (fault.kind === 'html') {
    const { status = 502 } = fault
    const body = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>'
    return { status, headers: { ...everyOrigin, 'Content-Type': 'text/html' }, body }
  }
  const { status, retryAfter, body } = fault
  const [code, message] = describeStatus(status)
  const after = retryAfter instanceof Date ? retryAfter.toUTCString() : retryAfter
  const reply = refuse(
    new RefusalError(status, fault.code ?? code, fault.message ?? message, {
      headers: after === undefined ? {} : { [header.retryAfter]: String(after) },
    }),
    headers,
  )
  if (body === undefined) return reply
  if (typeof body !== 'string') return { ...reply, body: JSON.stringify(body) }
  return { ...reply, headers: { ...reply.headers, 'Content-Type': 'text/plain' }, body }
}

function preflight(
  headers: Record<string, string>,
  exchange: FakeExchange,
): Record<string, string> {
  return {
    ...headers,
    Allow: allowedMethods,
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Allow-Headers':
      exchange.headers.get('Access-Control-Request-Headers') ?? API_KEY_HEADER,
    'Access-Control-Max-Age': '86400',
  }
}

/** What an answer holds, whenever it was made. */
function tagOf(body: object): string {
  const isTime = (name: string) => name === 'request_time' || name === 'response_time'
  const content = JSON.stringify(body, (name, value: unknown) => (isTime(name) ? undefined : value))
  return `"${hexOf(content, 2)}"`
}

function holdsTag(ifNoneMatch: string | null, tag: string): boolean {
  const known = ifNoneMatch?.split(',').map((value) => value.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(tag)
}
