import { CHANGES_PATH } from '@headwater/contract'
import {
  decodeParameters,
  findRoute,
  InvalidRequestError,
  parseWait,
} from '@headwater/contract/schemas'
import { ApiError, describeStatus, toErrorReply } from './ApiError.ts'
import type { FakeChanges } from './changes.ts'
import { checkKey, checkRate, handleOperation } from './handleOperation.ts'
import { handleOtherPath } from './handleOtherPath.ts'
import { allowedMethods, corsHeaders, header } from './headers.ts'
import type { FakeExchange, Reply } from './Reply.ts'
import type { ServiceState } from './ServiceState.ts'

/**
 * Handles and records a request. An unknown path is rejected with 404 and a wrong method with 405 before all other checks. A
 * preflight succeeds at any path: otherwise a browser hides the 404.
 * Synchronous, so that a delayed response contains the state at the time of the request.
 */
export function handleRequest(state: ServiceState, exchange: FakeExchange): Reply {
  const { method, url, basePath } = exchange
  const { pathname, searchParams } = new URL(url)
  // Nothing is served below another path.
  const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : ''
  const found = findRoute(path)
  const route = found?.base === '' ? found : undefined
  const name = route?.operation
  const id = `fake-${state.requests.length + 1}`
  const headers: Record<string, string> = {
    ...corsHeaders,
    [header.requestId]: exchange.headers.get(header.requestId) ?? id,
    [header.cost]: '0',
  }
  let parameters = {}
  const read = () => {
    if (route) {
      parameters = decodeParameters(route.operation, route.fromPath, searchParams)
    }
    return parameters
  }

  const handle = (): Reply => {
    if (method === 'OPTIONS') {
      return { status: 204, headers: preflight(state, headers, exchange) }
    }
    const changes = path === CHANGES_PATH ? state.changes : undefined
    const other = handleOtherPath(path, state.world)
    if (!route && !other && !changes) {
      throw new ApiError(404, ...describeStatus(404))
    }
    if (method !== 'GET' && method !== 'HEAD') {
      throw new ApiError(405, 'METHOD_NOT_ALLOWED', `${method} is not supported`, {
        headers: { Allow: allowedMethods },
      })
    }
    if (route) {
      return handleOperation(state, route, exchange, read, headers)
    }
    return changes
      ? handleChanges(state, changes, exchange, headers)
      : { status: 200, headers: { ...headers, ...other?.headers }, body: other?.body }
  }
  const reply = replyTo(handle, headers)
  // A preflight is sent by the browser and not by the client under test.
  if (method === 'OPTIONS') {
    return reply
  }
  const units = Number(reply.headers[header.cost] ?? 0)
  state.requests.push({ method, url, operation: name, parameters, status: reply.status, units })
  state.units += units
  return {
    ...reply,
    ...(method === 'HEAD' && { body: undefined }),
    // Errors are delayed, too.
    ...(name && {
      delay: state.faults.take(name, 'slow')?.fault.delay,
      held: state.faults.take(name, 'hold')?.healed,
    }),
  }
}

/** Opens a stream of changes, or with `Prefer: wait` a request that waits for them. */
function handleChanges(
  state: ServiceState,
  changes: FakeChanges,
  exchange: FakeExchange,
  headers: Record<string, string>,
): Reply {
  checkKey(state, exchange)
  checkRate(state, headers)
  const { searchParams } = new URL(exchange.url)
  const lastEventId = exchange.headers.get('Last-Event-ID') || null
  const wait = parseWait(exchange.headers.get('Prefer'))
  const open = () =>
    wait === undefined
      ? changes.open(searchParams, lastEventId, state.world)
      : changes.poll(searchParams, lastEventId, wait, state.world)
  return {
    status: 200,
    headers: {
      ...headers,
      'Content-Type': wait === undefined ? 'text/event-stream' : 'application/json',
      ...(wait !== undefined && { 'Preference-Applied': `wait=${wait}` }),
    },
    body: exchange.method === 'HEAD' ? undefined : open(),
  }
}

/** Converts an error to a reply. */
function replyTo(handle: () => Reply, headers: Readonly<Record<string, string>>): Reply {
  try {
    return handle()
  } catch (error) {
    if (error instanceof ApiError || error instanceof InvalidRequestError) {
      return toErrorReply(error, headers)
    }
    throw error
  }
}

function preflight(
  { apiKeyHeader }: ServiceState,
  headers: Readonly<Record<string, string>>,
  exchange: FakeExchange,
): Record<string, string> {
  return {
    ...headers,
    Allow: allowedMethods,
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Allow-Headers':
      exchange.headers.get('Access-Control-Request-Headers') ?? apiKeyHeader,
    'Access-Control-Max-Age': '86400',
  }
}
