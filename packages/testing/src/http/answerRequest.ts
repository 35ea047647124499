import { API_KEY_HEADER } from '@headwater/contract'
import { decodeParameters, InvalidRequestError } from '@headwater/contract/schemas'
import { answerOperation } from './answerOperation.ts'
import { answerOther } from './answerOther.ts'
import { findRoute } from './findRoute.ts'
import { allowedMethods, everyOrigin, header } from './headers.ts'
import { RefusalError } from './RefusalError.ts'
import { refuse } from './refuse.ts'
import type { FakeExchange, Reply } from './Reply.ts'
import type { ServiceState } from './ServiceState.ts'
import { describeStatus } from './statuses.ts'

/**
 * Answers a request and remembers it. An unknown path is 404 and a wrong method 405 before anything else is looked at. All
 * happens at once, so that what is answered is as of when it was asked, however late it arrives.
 */
export function answerRequest(state: ServiceState, exchange: FakeExchange): Reply {
  const { method, url } = exchange
  const { pathname, searchParams } = new URL(url)
  const route = findRoute(pathname)
  const name = route?.operation
  const id = `fake-${state.requests.length + 1}`
  const headers: Record<string, string> = {
    ...everyOrigin,
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

  const answer = (): Reply => {
    const other = route ? undefined : answerOther(pathname, state.world)
    if (!route && !other) {
      throw new RefusalError(404, ...describeStatus(404))
    }
    if (method === 'OPTIONS') {
      return { status: 204, headers: preflight(headers, exchange) }
    }
    if (method !== 'GET' && method !== 'HEAD') {
      throw new RefusalError(405, 'METHOD_NOT_ALLOWED', `${method} is not answered here`, {
        headers: { Allow: allowedMethods },
      })
    }
    if (route) {
      return answerOperation(state, route, exchange, read, headers)
    }
    return { status: 200, headers: { ...headers, ...other?.headers }, body: other?.body }
  }
  const reply = unlessRefused(answer, headers)
  const units = Number(reply.headers[header.cost] ?? 0)
  // What a browser asks before it asks is nobody's request.
  if (method !== 'OPTIONS') {
    state.requests.push({ method, url, operation: name, parameters, status: reply.status, units })
  }
  state.units += units
  return {
    ...reply,
    ...(method === 'HEAD' && { body: undefined }),
    // Whatever arrives is late.
    ...(name && {
      delay: state.faults.take(name, 'slow')?.fault.delay,
      held: state.faults.take(name, 'hold')?.healed,
    }),
  }
}

function unlessRefused(answer: () => Reply, headers: Readonly<Record<string, string>>): Reply {
  try {
    return answer()
  } catch (error) {
    if (error instanceof RefusalError || error instanceof InvalidRequestError) {
      return refuse(error, headers)
    }
    throw error
  }
}

function preflight(
  headers: Readonly<Record<string, string>>,
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
