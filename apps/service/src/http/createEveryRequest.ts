import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { ApiKey } from '../keys/ApiKey.ts'
import { ApiError } from '../operations/ApiError.ts'
import { isTracing, traceRequest } from '../tracing.ts'
import { allowedMethods, corsHeaders, exposedHeaders, header } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { getBindings, readHeader, setHeaders, unitHeaders } from './respond.ts'
import type { Service } from './Service.ts'

type Middleware = MiddlewareHandler<HonoEnv>

const maximumUrlLength = 8192

/** Creates the middleware of all requests, whatever their path, in its order, in which it is also defined below. */
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
