import { type Handler, Hono } from 'hono'
import { type OperationName, operations } from '@headwater/contract'
import { describeSupportedChains, openApi } from '@headwater/contract/schemas'
import manifest from '../../package.json' with { type: 'json' }
import { loadAuditFigures } from '../audit/loadAuditFigures.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import { type CollectibleKey, requestCollectibles } from '../metadata/requestCollectibles.ts'
import { ApiError } from '../operations/ApiError.ts'
import { ChainReader } from '../operations/ChainReader.ts'
import { HeadCache } from '../operations/HeadCache.ts'
import { createCursors } from '../operations/paging/createCursors.ts'
import { loadSharedSecret } from '../operations/paging/loadSharedSecret.ts'
import { PriceCache } from '../pricing/PriceCache.ts'
import { memoizeAsync } from './cache/memoizeAsync.ts'
import { prepareBody } from './cache/prepareBody.ts'
import { respondTagged } from './cache/respondTagged.ts'
import { ResponseCache } from './cache/ResponseCache.ts'
import { serveCached } from './cache/serveCached.ts'
import { type Capacity, createLimiter } from './createLimiter.ts'
import type { Environment } from './Environment.ts'
import { allowedMethods, header } from './headers.ts'
import { corsHeaders } from './middleware/corsHeaders.ts'
import { errorHandler } from './middleware/errorHandler.ts'
import { logRequest } from './middleware/logRequest.ts'
import { resolveRequestId } from './middleware/resolveRequestId.ts'
import { checkReadiness } from './routes/checkReadiness.ts'
import { createOperationHandler } from './routes/createOperationHandler.ts'
import { serveMedia } from './routes/serveMedia.ts'
import type { Service } from './Service.ts'

/** Answers that read the store at once, more than it has connections; and those that wait, some seconds of work. */
const usualCapacity: Capacity = { working: 32, waiting: 1024 }
/** Longer than any request that makes sense. */
const MAXIMUM_URL_LENGTH = 8192

/** Makes the HTTP API. An unknown path is 404 and a wrong method 405 before anything else is looked at. */
export function createApp(
  service: Service,
  access: KeyAccess,
  capacity: Capacity = usualCapacity,
): Pick<Hono<Environment>, 'fetch'> {
  const { config, store, nodes, metrics, logger } = service
  const app = new Hono<Environment>()

  app.use(async (context, next) => {
    const requestId = resolveRequestId(context.req.header(header.requestId))
    context.set('requestId', requestId)
    context.set('receivedAt', new Date())
    context.header(header.requestId, requestId)
    context.header(header.cost, '0')
    if (context.req.method === 'OPTIONS') {
      context.header('Allow', allowedMethods.join(', '))
    }
    await next()
  })
  app.use(logRequest(logger, metrics))
  app.use(corsHeaders)
  app.use(async (context, next) => {
    if (context.req.url.length > MAXIMUM_URL_LENGTH) {
      throw new ApiError(414, 'URL_TOO_LONG', 'The URL of the request is too long')
    }
    await next()
  })

  const serve = (path: string, handler: Handler<Environment>) => {
    app.get(path, handler)
    app.all(path, (context) => {
      context.header('Allow', allowedMethods.join(', '))
      throw new ApiError(405, 'METHOD_NOT_ALLOWED', `${context.req.method} is not answered here`)
    })
  }

  const chainReader = new ChainReader(nodes)
  const headCache = new HeadCache()
  const priceCache = new PriceCache()
  const shared = {
    access,
    gate: createLimiter(capacity),
    cache: new ResponseCache(service.watch),
    load: once(async () => ({
      chainReader,
      headCache,
      priceCache,
      links: service.media.links,
      requestCollectibles: (keys: readonly CollectibleKey[]) => {
        requestCollectibles(store.db, keys).catch((error: unknown) => {
          logger.warn({ err: error }, 'documents of NFTs could not be asked for')
        })
      },
      cursors: createCursors(await loadSharedSecret(store.db, 'cursors')),
    })),
  }
  const served = service.role === 'index' ? [] : (Object.keys(operations) as OperationName[])
  for (const name of served) {
    serve(
      operations[name].path.replace(/\{(\w+)\}/g, ':$1'),
      createOperationHandler(name, service, shared),
    )
  }

  if (service.role !== 'index') {
    serveMedia(serve, service)
  }

  const document = prepareBody(openApi({ version: manifest.version }))
  const chains = prepareBody(describeSupportedChains(config.chains))
  serve('/openapi.json', (context) => respondTagged(context, document))
  serve('/v1/evm/supported-chains', (context) => respondTagged(context, chains))
  serve('/health', (context) => context.json({ status: 'ok' }))
  // They take no key: however many ask, the store is asked once a second.
  const readReadiness = memoizeAsync(() => checkReadiness(service))
  const readAudits = memoizeAsync(() => loadAuditFigures(store.reader))
  serve('/ready', async (context) => {
    const readiness = await readReadiness()
    if (!readiness.ready) {
      context.header(header.retryAfter, '5')
    }
    return context.json(readiness, readiness.ready ? 200 : 503)
  })

  serve('/metrics', async (context) => {
    // Without a store there is still much to tell, that it is away above all.
    const readiness = await readReadiness().catch(() => undefined)
    const audits = await readAudits().catch(() => undefined)
    const stats = [...nodes].map(([chainId, node]) => [chainId, node.stats()] as const)
    context.header('Content-Type', metrics.contentType)
    return context.body(await metrics.write(readiness?.chains, stats, audits))
  })

  app.notFound((context) =>
    errorHandler(context, new ApiError(404, 'NOT_FOUND', 'There is no such path'), logger),
  )
  app.onError((error, context) => errorHandler(context, error, logger))
  return {
    fetch: (request, bindings, ...others) =>
      serveCached(request, bindings, service, shared) ?? app.fetch(request, bindings, ...others),
  }
}

/** Does something once it is needed, and again only when it failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
