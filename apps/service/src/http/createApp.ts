import { type Handler, Hono } from 'hono'
import { type OperationName, operations } from '@headwater/contract'
import { describeSupportedChains, openApi } from '@headwater/contract/schemas'
import manifest from '../../package.json' with { type: 'json' }
import { loadAuditFigures } from '../audit/loadAuditFigures.ts'
import { recordHolders } from '../audit/recordHolders.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import { requestCollectibles } from '../metadata/requestCollectibles.ts'
import { ApiError } from '../operations/ApiError.ts'
import { ChainReader } from '../operations/ChainReader.ts'
import type { SharedContext } from '../operations/Handler.ts'
import { HeadCache } from '../operations/HeadCache.ts'
import { createCursors } from '../operations/paging/createCursors.ts'
import { loadSharedSecret } from '../operations/paging/loadSharedSecret.ts'
import { PriceCache } from '../pricing/PriceCache.ts'
import { memoizeAsync } from './cache/memoizeAsync.ts'
import { prepareBody } from './cache/prepareBody.ts'
import { ResponseCache } from './cache/ResponseCache.ts'
import { checkReadiness } from './checkReadiness.ts'
import { type Capacity, createLimiter } from './createLimiter.ts'
import { createErrorHandler } from './errorHandler.ts'
import { allowedMethods, header } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { createPipeline } from './pipeline.ts'
import { respond, respondJson, respondPrepared, setHeaders } from './respond.ts'
import { serveMedia } from './routes/serveMedia.ts'
import type { Service } from './Service.ts'

/** More concurrent reads than the store has connections, and some seconds of work waiting for them. */
const defaultCapacity: Capacity = { working: 32, waiting: 1024 }

/** Creates the HTTP API. An unknown path is 404 and a wrong method 405, before the key is checked. */
export function createApp(
  service: Service,
  access: KeyAccess,
  capacity: Capacity = defaultCapacity,
): Hono<HonoEnv> {
  const { config, store, nodes, metrics, logger } = service
  const app = new Hono<HonoEnv>()
  const pipeline = createPipeline(service, {
    access,
    cache: new ResponseCache(service.watch),
    limitReads: createLimiter(capacity),
    loadContext: createContextLoader(service),
  })
  app.use(...pipeline.everyRequest)

  const serve = (path: string, ...steps: Handler<HonoEnv>[]) => {
    app.on('GET', [path], ...steps)
    app.all(path, (context) => {
      setHeaders(context, { Allow: allowedMethods.join(', ') })
      throw new ApiError(405, 'METHOD_NOT_ALLOWED', `Method ${context.req.method} is not allowed`)
    })
  }
  if (service.role !== 'index') {
    for (const name of Object.keys(operations) as OperationName[]) {
      const path = operations[name].path.replace(/\{(\w+)\}/g, ':$1')
      serve(path, ...pipeline.operation(name))
    }
    serveMedia(serve, service)
  }

  const document = prepareBody(openApi({ version: manifest.version }))
  const chains = prepareBody(describeSupportedChains(config.chains))
  serve('/openapi.json', (context) => respondPrepared(context, document))
  serve('/v1/evm/supported-chains', (context) => respondPrepared(context, chains))
  serve('/health', (context) => respondJson(context, { status: 'ok' }))
  // These need no key, so they read the store at most once per second.
  const readReadiness = memoizeAsync(() => checkReadiness(service))
  const readAudits = memoizeAsync(() => loadAuditFigures(store.reader))
  serve('/ready', async (context) => {
    const readiness = await readReadiness()
    if (!readiness.ready) {
      setHeaders(context, { [header.retryAfter]: '5' })
    }
    return respondJson(context, readiness, readiness.ready ? 200 : 503)
  })
  serve('/metrics', async (context) => {
    // While the store is unavailable, the metrics report that, and those of requests and nodes.
    const readiness = await readReadiness().catch(() => undefined)
    const audits = await readAudits().catch(() => undefined)
    const stats = [...nodes].map(([chainId, node]) => [chainId, node.stats()] as const)
    setHeaders(context, { 'Content-Type': metrics.contentType })
    return respond(context, await metrics.write(readiness?.chains, stats, audits))
  })

  const handleError = createErrorHandler(access.meter, logger)
  app.notFound((context) =>
    handleError(new ApiError(404, 'NOT_FOUND', 'The path does not exist'), context),
  )
  app.onError(handleError)
  return app
}

/** Creates what the handlers of all operations share on the first request; after a failure, the next request retries. */
function createContextLoader({ nodes, store, media, logger }: Service) {
  const chainReader = new ChainReader(nodes)
  const headCache = new HeadCache()
  const priceCache = new PriceCache()
  const load = async (): Promise<SharedContext> => ({
    chainReader,
    headCache,
    priceCache,
    links: media.links,
    requestCollectibles: (keys) => {
      requestCollectibles(store.db, keys).catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to queue NFT metadata')
      })
    },
    recordHolders: (chainId, holders) => {
      recordHolders(store.db, chainId, holders).catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to record holders')
      })
    },
    cursors: createCursors(await loadSharedSecret(store.db, 'cursors')),
  })
  let loaded: Promise<SharedContext> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
