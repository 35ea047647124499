import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import {
  type AnyOperation,
  API_KEY_HEADER,
  type BalancesErrors,
  CHANGES_PATH,
  type OperationName,
  operations,
  type Warning,
} from '@headwater/contract'
import {
  decodeParameters,
  describeMissingChains,
  type MissingChains,
  type ParsedRequest,
  parseRequest,
} from '@headwater/contract/schemas'
import type { ChainConfig } from '../config/Config.ts'
import { type ApiKey, dataPurpose } from '../keys/ApiKey.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import { validateKey } from '../keys/validateKey.ts'
import { ApiError } from '../operations/ApiError.ts'
import type { Handler, SharedContext } from '../operations/Handler.ts'
import { handlers } from '../operations/index.ts'
import type { FairQueue } from '../queues/FairQueue.ts'
import type { Turns } from '../queues/Turns.ts'
import { isTracing, traceRequest } from '../tracing.ts'
import { prepareBody } from './cache/prepareBody.ts'
import type { ResponseCache } from './cache/ResponseCache.ts'
import type { BodyEncoder } from './compression/BodyEncoder.ts'
import { createStoreReader } from './createStoreReader.ts'
import { allowedMethods, corsHeaders, exposedHeaders, header } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { isChainName } from './isChainName.ts'
import { getBindings, readHeader, respondPrepared, setHeaders, unitHeaders } from './respond.ts'
import type { Service } from './Service.ts'

const maximumUrlLength = 8192
/** Longer bodies are sent in turns, as many requests may have waited for the same. */
const maxAtOnceLength = 8192

type Middleware = MiddlewareHandler<HonoEnv>

/** What all requests of an app share, besides the service. */
export interface Shared {
  readonly access: KeyAccess
  readonly cache: ResponseCache
  /** Undefined to send bodies as they are. */
  readonly encoder: BodyEncoder | undefined
  /** Limits how many requests read a store at once, by store: a slow one must not block the others. */
  readonly readQueues: ReadonlyMap<unknown, FairQueue>
  readonly loadContext: () => Promise<SharedContext>
  /** Shares the thread among API keys. */
  readonly turns: Turns
}

/**
 * Creates the middleware that a request passes, in its order, in which it is also defined below. Middleware rejects a
 * request by throwing an `ApiError`, which the error handler of the app converts into a response without a charge.
 */
export function createPipeline(service: Service, shared: Shared) {
  const { config, metrics } = service
  const { access, cache, turns } = shared
  return {
    everyRequest: createEveryRequest(service),
    /** The further middleware of subscriptions. */
    subscription: [authenticate('changes', access), limitRate(access, config), requirePurpose],
    /** The further middleware of an operation's requests, the same for cached and computed responses. */
    operation: (name: OperationName) => [
      authenticate(name, access),
      limitRate(access, config),
      requirePurpose,
      takeTurn(turns),
      parse(name, config.chains, cache),
      chargeUnits(access, metrics),
      handle(name, service, shared),
    ],
  }
}

/** Creates the middleware of all requests, whatever their path. */
export function createEveryRequest(service: Pick<Service, 'logger' | 'metrics'>): Middleware[] {
  return [...(isTracing ? [trace] : []), recordRequest(service), respondToPreflight, limitUrlLength]
}

/** Creates the span of the request. */
const trace: Middleware = async (context, next) => {
  const headers = getBindings(context)?.incoming?.headers ?? context.req.header()
  await traceRequest(headers, async (span) => {
    await next()
    const operation = context.get('operation') as string | undefined
    span.updateName(`${context.req.method} ${operation ?? 'other'}`)
    span.setAttributes({
      'http.request.method': context.req.method,
      'http.response.status_code': context.res.status,
      'headwater.request_id': context.get('requestId'),
      ...(operation !== undefined && { 'headwater.operation': operation }),
    })
  })
}

/** Identifies the request, and logs and measures it once it is settled. */
function recordRequest({ logger, metrics }: Pick<Service, 'logger' | 'metrics'>): Middleware {
  return async (context, next) => {
    const startedAt = performance.now()
    const given = readHeader(context, header.requestId)
    const requestId = given && /^[\w\-=]{1,255}$/.test(given) ? given : crypto.randomUUID()
    context.set('requestId', requestId)
    context.set('receivedAt', new Date())
    const headers: Record<string, string> = {
      [header.requestId]: requestId,
      ...unitHeaders(0, undefined),
      ...corsHeaders,
    }
    context.set('headers', headers)
    await next()
    const { status } = context.res
    const milliseconds = performance.now() - startedAt
    const operation = context.get('operation') as string | undefined
    metrics.observeRequest(operation ?? 'other', status, milliseconds / 1000)
    if (logger.isLevelEnabled('debug')) {
      // Neither headers nor the query string: clients may send secrets in both.
      const details = {
        requestId,
        method: context.req.method,
        path: context.req.path,
        status,
        units: Number(headers[header.cost]),
        keyId: (context.get('apiKey') as ApiKey | undefined)?.id,
        milliseconds: Math.round(milliseconds),
      }
      logger.debug(details, 'request')
    }
  }
}

const preflight = cors({
  allowMethods: allowedMethods,
  exposeHeaders: exposedHeaders,
  maxAge: 86_400,
})

/** Responds to preflight requests. Other requests do not pass `cors`, which would convert each body to a stream. */
const respondToPreflight: Middleware = async (context, next) => {
  if (context.req.method !== 'OPTIONS') {
    return await next()
  }
  setHeaders(context, { Allow: allowedMethods.join(', ') })
  for (const [name, value] of Object.entries(context.get('headers'))) {
    context.header(name, value)
  }
  return await preflight(context, next)
}

const limitUrlLength: Middleware = async (context, next) => {
  if (context.req.url.length > maximumUrlLength) {
    throw new ApiError(414, 'URL_TOO_LONG', 'The URL of the request is too long')
  }
  return await next()
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
    const key = cacheKey(context.req.url)
    const found = cache.find(key)
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
function cacheKey(url: string): string {
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
function handle(
  name: OperationName,
  service: Service,
  { access, cache, encoder, readQueues, loadContext, turns }: Shared,
): Middleware {
  const handleOperation = handlers[name] as Handler<OperationName>
  const { cost } = operations[name] as Pick<AnyOperation, 'cost'>
  const compute = async (
    { parameters, chains, unsupportedChainIds }: ParsedRequest<OperationName, ChainConfig>,
    receivedAt: Date,
    keyId: number,
    signal: AbortSignal,
  ) => {
    const context = await loadContext()
    const { body, requested, blocks, isComplete, dependencies } = await handleOperation(
      parameters,
      {
        ...createStoreReader(service, readQueues, chains, keyId, signal),
        chains,
        watch: service.watch,
        receivedAt,
        ...context,
      },
    )
    const { heads } = requested
    const entries = Math.max(0, ...Object.values(body).map(getLength))
    return {
      body: await turns.run(keyId, entries, () =>
        prepareBody(addMissingChains(body, { unsupportedChainIds, ...requested })),
      ),
      units: cost(parameters as never, () => heads.size),
      requested,
      blocks: blocks ?? [...heads].map(([chainId, { number }]) => ({ chainId, number })),
      isComplete: isComplete ?? true,
      dependencies,
    }
  }
  return async (context) => {
    const request = context.get('request')
    const { body, units, blockNumbers } =
      'parameters' in request
        ? await cache.compute(
            {
              path: cacheKey(context.req.url),
              chains: request.chains,
              keyId: context.get('apiKey').id,
              signal: context.req.raw.signal,
            },
            (signal) =>
              compute(request, context.get('receivedAt'), context.get('apiKey').id, signal),
          )
        : request
    context.set('units', units)
    setHeaders(context, {
      ...unitHeaders(units, access.meter.remaining(context.get('apiKey'), units)),
      ...(blockNumbers !== undefined && { [header.blockNumbers]: blockNumbers }),
      [header.publicUrl]: service.media.publicUrl.value,
      [header.changesPath]: CHANGES_PATH,
    })
    if (body.content.length > maxAtOnceLength) {
      await turns.resume(context.get('apiKey').id)
    }
    return await respondPrepared(context, body, encoder)
  }
}

function getLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

/** Adds the chains that are missing or outdated to the errors and warnings of a body. */
function addMissingChains(body: object, missing: MissingChains): object {
  const own: { readonly errors?: BalancesErrors; readonly warnings?: readonly Warning[] } = body
  const { errors, warnings } = describeMissingChains(missing)
  return {
    ...body,
    ...(errors && { errors: { ...errors, ...own.errors } }),
    ...(warnings && { warnings: [...warnings, ...(own.warnings ?? [])] }),
  }
}
