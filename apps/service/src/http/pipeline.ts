import type { MiddlewareHandler } from 'hono'
import { API_KEY_HEADER, CHANGES_PATH, type OperationName } from '@headwater/contract'
import { decodeParameters, parseRequest } from '@headwater/contract/schemas'
import type { ChainConfig } from '../config/Config.ts'
import { dataPurpose } from '../keys/ApiKey.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import { validateKey } from '../keys/validateKey.ts'
import { ApiError } from '../operations/ApiError.ts'
import type { Turns } from '../queues/Turns.ts'
import type { ResponseCache } from './cache/ResponseCache.ts'
import type { BodyEncoder } from './compression/BodyEncoder.ts'
import { computeResponse, type ComputingShared } from './computeResponse.ts'
import { header } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { isChainName } from './isChainName.ts'
import { readHeader, respondPrepared, setHeaders, unitHeaders } from './respond.ts'
import type { Service } from './Service.ts'

/** Longer bodies are sent in turns, as many requests may have waited for the same read. */
const maxAtOnceLength = 8192

type Middleware = MiddlewareHandler<HonoEnv>

/** What all requests of an app share, besides the service. */
export interface Shared extends ComputingShared {
  readonly access: KeyAccess
  readonly cache: ResponseCache
  /** Undefined to send bodies as they are. */
  readonly encoder: BodyEncoder | undefined
}

/**
 * Creates the middleware that a request passes after that of all requests (`createEveryRequest`), in its order, in which it is
 * also defined below. Middleware rejects a request by throwing an `ApiError`, which the error handler of the app converts into
 * a response without a charge.
 */
export function createPipeline(service: Service, shared: Shared) {
  const { config, metrics } = service
  const { access, cache, context } = shared
  return {
    /** The middleware of subscriptions. */
    subscription: [authenticate('changes', access), limitRate(access, config), requirePurpose],
    /** The middleware of an operation's requests, the same for cached and computed responses. */
    operation: (name: OperationName) => [
      authenticate(name, access),
      limitRate(access, config),
      requirePurpose,
      takeTurn(context.turns),
      parse(name, config.chains, cache),
      chargeUnits(access, metrics),
      handle(name, service, shared),
    ],
  }
}

/** Requires a valid API key: 401 without one. */
function authenticate(name: HonoEnv['Variables']['operation'], { reader }: KeyAccess): Middleware {
  return async (context, next) => {
    context.set('operation', name)
    const secret = readHeader(context, API_KEY_HEADER)
    if (!secret) {
      throw new ApiError(401, 'API_KEY_MISSING', `Send an API key in the header ${API_KEY_HEADER}`)
    }
    const key = validateKey(await reader.find(secret))
    if (!key) {
      throw new ApiError(401, 'API_KEY_INVALID', 'The API key is unknown, revoked or expired')
    }
    context.set('apiKey', key)
    return await next()
  }
}

/** Applies the rate limit of the key: 429 when it is exceeded. */
function limitRate({ limiter }: KeyAccess, { defaultRate }: Service['config']): Middleware {
  return async (context, next) => {
    const key = context.get('apiKey')
    const rate = key.rate ?? defaultRate
    const { allowed, remaining, resetMs, retryAfterMs } = limiter.take(key.id, rate)
    setHeaders(context, {
      [header.rateLimit]: String(rate.requests),
      [header.rateRemaining]: String(remaining),
      [header.rateReset]: String(Math.ceil(resetMs / 1000)),
    })
    if (!allowed) {
      throw new ApiError(
        429,
        'RATE_EXCEEDED',
        `Rate limit exceeded: ${rate.requests} requests per ${rate.seconds} s`,
        { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) },
      )
    }
    return await next()
  }
}

/** Requires a key for this API: 403 with one for another purpose. */
const requirePurpose: Middleware = async (context, next) => {
  if (context.get('apiKey').purpose !== dataPurpose) {
    throw new ApiError(403, 'API_KEY_PURPOSE', 'The API key was issued for another purpose')
  }
  return await next()
}

/** Delays the request while others of its key have used more of the thread than other keys have. */
function takeTurn(turns: Turns): Middleware {
  return async (context, next) => {
    await turns.start(context.get('apiKey').id)
    return await next()
  }
}

/** Finds the cached response, or validates the parameters: 400 naming the invalid one. */
function parse(
  name: OperationName,
  chains: readonly ChainConfig[],
  cache: ResponseCache,
): Middleware {
  const service = { chains, isChainName: (word: string) => isChainName(word, chains) }
  return async (context, next) => {
    const found = cache.find(getPath(context.req.url))
    const cached = found instanceof Promise ? await found : found
    if (cached) {
      context.set('request', cached)
    } else {
      const query = new URL(context.req.url).searchParams
      const decoded = decodeParameters(name, context.req.param(), query)
      context.set('request', parseRequest(name, decoded, service))
    }
    return await next()
  }
}

/** Path and query of a URL. */
function getPath(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}

/**
 * Reserves the units of the request, 402 when the quota is exhausted, and charges those of the response if it succeeds:
 * chains that are not part of it cost nothing. It is charged even if its client has disconnected, unless that was before the
 * store was read.
 */
function chargeUnits({ meter }: KeyAccess, metrics: Service['metrics']): Middleware {
  return async (context, next) => {
    const { units } = context.get('request')
    const charge = meter.reserve(context.get('apiKey'), units)
    if (!charge) {
      throw new ApiError(
        402,
        'UNITS_EXHAUSTED',
        `Quota exceeded: the request costs ${units} compute units`,
      )
    }
    await next()
    // Hono has converted an error of the next middleware into a response.
    if (context.error) {
      charge.release()
      return
    }
    const charged = context.get('units')
    charge.commit(charged)
    metrics.countUnits(context.get('operation'), charged)
  }
}

/** Responds with the cached response, or with the result of the operation. */
function handle(name: OperationName, service: Service, shared: Shared): Middleware {
  const { access, cache, encoder } = shared
  const { turns } = shared.context
  return async (context) => {
    const request = context.get('request')
    const apiKey = context.get('apiKey')
    const { body, units, blockNumbers } =
      'parameters' in request
        ? await cache.compute(
            {
              path: getPath(context.req.url),
              chains: request.chains,
              keyId: apiKey.id,
              signal: context.req.raw.signal,
            },
            async (signal) => {
              const received = { receivedAt: context.get('receivedAt'), keyId: apiKey.id, signal }
              return await computeResponse(name, request, received, service, shared)
            },
          )
        : request
    context.set('units', units)
    setHeaders(context, {
      ...unitHeaders(units, access.meter.remaining(apiKey, units)),
      ...(blockNumbers !== undefined && { [header.blockNumbers]: blockNumbers }),
      [header.publicUrl]: service.media.publicUrl.value,
      [header.changesPath]: CHANGES_PATH,
    })
    if (body.content.length > maxAtOnceLength) {
      await turns.resume(apiKey.id)
    }
    return await respondPrepared(context, body, encoder)
  }
}
