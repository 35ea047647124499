import { type Handler, Hono } from 'hono'
import { type OperationName, operations } from '@headwater/contract'
import { describeSupportedChains, openApi } from '@headwater/contract/schemas'
import manifest from '../../package.json' with { type: 'json' }
import { recordHolders } from '../audit/recordHolders.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import { requestCollectibles } from '../metadata/requestCollectibles.ts'
import { ApiError } from '../operations/ApiError.ts'
import { ChainReader } from '../operations/ChainReader.ts'
import { NodeChains } from '../operations/fromNode/NodeChains.ts'
import type { SharedContext } from '../operations/Handler.ts'
import { HeadCache } from '../operations/HeadCache.ts'
import { createCursors, type Cursors } from '../operations/paging/createCursors.ts'
import { loadSharedSecret } from '../operations/paging/loadSharedSecret.ts'
import { StoreCache } from '../operations/StoreCache.ts'
import { PriceCache } from '../pricing/PriceCache.ts'
import { BatchLanes } from '../queues/BatchLanes.ts'
import type { QueueLimits } from '../queues/FairQueue.ts'
import { Turns } from '../queues/Turns.ts'
import { ChangeIndex } from '../store/ChangeIndex.ts'
import { getCacheLimits } from './cache/getCacheLimits.ts'
import { indexChanges } from './cache/indexChanges.ts'
import { prepareBody } from './cache/prepareBody.ts'
import { ResponseCache } from './cache/ResponseCache.ts'
import { ChangeFeed } from './changes/ChangeFeed.ts'
import { FollowedWallets } from './changes/FollowedWallets.ts'
import { serveChanges } from './changes/serveChanges.ts'
import { BodyEncoder } from './compression/BodyEncoder.ts'
import { createEveryRequest } from './createEveryRequest.ts'
import { createReadQueue } from './createReadQueue.ts'
import { createErrorHandler } from './errorHandler.ts'
import { allowedMethods } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { createPipeline } from './pipeline.ts'
import { respond, respondJson, respondPrepared, setHeaders } from './respond.ts'
import { serveMedia } from './routes/serveMedia.ts'
import { serveMonitoring } from './routes/serveMonitoring.ts'
import { createStartPage, startPageHeaders } from './routes/startPage.ts'
import type { Service } from './Service.ts'

/** More concurrent reads than the store has connections, and some seconds of work waiting for them. */
const defaultReadLimits: QueueLimits = { permits: 32, maxWaiting: 1024 }

/**
 * Creates the HTTP API. An unknown path is 404 and a wrong method 405, before the key is checked.
 *
 * @param readLimits - of concurrent reads of each store.
 * @returns the app, and what runs without a request until it is closed.
 */
export function createApp(
  service: Service,
  access: KeyAccess,
  readLimits: QueueLimits = defaultReadLimits,
): { readonly app: Hono<HonoEnv>; readonly nodeChains: NodeChains; readonly feed: ChangeFeed } {
  const { config, stores } = service
  const app = new Hono<HonoEnv>()
  const nodeChains = createNodeChains(service)
  const chainReader = new ChainReader(service.nodes)
  const feed = new ChangeFeed(service, chainReader.natives)
  const encoder = config.compression === false ? undefined : new BodyEncoder()
  const limits = getCacheLimits(config.cacheMegabytes, config.chains.length)
  const priceCache = new PriceCache(limits.pricedTokens)
  const changes = new ChangeIndex(limits.changedAddresses)
  const storeCache = new StoreCache(service.watch, changes, limits.storeEntries)
  const wallets = new FollowedWallets({ ...service, feed, storeCache, priceCache, nodeChains })
  indexChanges(service, changes, priceCache, feed, wallets, chainReader.natives)
  const pipeline = createPipeline(service, {
    access,
    cache: new ResponseCache(service.watch, changes, limits.responseBytes),
    encoder,
    readQueues: new Map(stores.all.map((store) => [store, createReadQueue(readLimits)])),
    batchLanes: new BatchLanes(),
    loadCursors: createCursorLoader(service),
    context: {
      chainReader,
      nodeChains,
      headCache: new HeadCache(),
      storeCache,
      priceCache,
      turns: new Turns(),
      links: service.media.links,
      ...createRecorders(service),
    },
  })
  app.use(...createEveryRequest(service))

  const serve = createServe(app)
  if (service.role !== 'index') {
    for (const name of Object.keys(operations) as OperationName[]) {
      const path = operations[name].path.replace(/\{(\w+)\}/g, ':$1')
      serve(path, ...pipeline.operation(name))
    }
    serveMedia(serve, service)
    serveChanges(serve, pipeline.subscription, {
      feed,
      chains: config.chains,
      keys: access.reader,
      fetch: (request) => app.fetch(request),
    })
  }

  const document = prepareBody(openApi({ version: manifest.version }))
  const supportedChains = prepareBody(describeSupportedChains(config.chains))
  const startPage = createStartPage(config.metricsPort === undefined)
  serve('/', (context) => {
    setHeaders(context, startPageHeaders)
    return respond(context, startPage)
  })
  serve('/openapi.json', (context) => respondPrepared(context, document, encoder))
  serve('/v1/evm/supported-chains', (context) => respondPrepared(context, supportedChains, encoder))
  serve('/health', (context) => respondJson(context, { status: 'ok' }))
  if (config.metricsPort === undefined) {
    serveMonitoring(serve, service, { nodeChains, feed })
  }

  handleErrors(app, createErrorHandler(access.meter, service))
  return { app, nodeChains, feed }
}

/** Creates the app of the port for monitoring, which has no operations. */
export function createMonitoringApp(
  service: Service,
  access: KeyAccess,
  shared: { readonly nodeChains: NodeChains; readonly feed: ChangeFeed },
): Hono<HonoEnv> {
  const app = new Hono<HonoEnv>()
  app.use(...createEveryRequest(service))
  const serve = createServe(app)
  serve('/health', (context) => respondJson(context, { status: 'ok' }))
  serveMonitoring(serve, service, shared)
  handleErrors(app, createErrorHandler(access.meter, service))
  return app
}

/** Creates the function that adds a path with the middleware of GET requests. */
function createServe(app: Hono<HonoEnv>) {
  return (path: string, ...steps: Handler<HonoEnv>[]): void => {
    app.on('GET', [path], ...steps)
    app.all(path, (context) => {
      setHeaders(context, { Allow: allowedMethods.join(', ') })
      throw new ApiError(405, 'METHOD_NOT_ALLOWED', `Method ${context.req.method} is not allowed`)
    })
  }
}

function handleErrors(
  app: Hono<HonoEnv>,
  handleError: ReturnType<typeof createErrorHandler>,
): void {
  app.notFound((context) =>
    handleError(new ApiError(404, 'NOT_FOUND', 'The path does not exist'), context),
  )
  app.onError(handleError)
}

/** Creates what answers for chains that are not indexed. Its searches end when it is closed. */
function createNodeChains({ config, nodes, stores, media, logger }: Service): NodeChains {
  return new NodeChains(
    config.chains.flatMap((chain) => {
      const node = nodes.get(chain.id)
      const { db } = stores.of(chain.id)
      const { tokenLists, readDocument: readUri } = media
      return node ? [{ chain, node, db, tokenLists, readUri, logger }] : []
    }),
  )
}

/** Creates what writes to the stores without delaying a response. */
function createRecorders({
  stores,
  logger,
}: Service): Pick<SharedContext, 'requestCollectibles' | 'recordHolders'> {
  return {
    requestCollectibles(keys) {
      for (const [chainId, keysOfChain] of Map.groupBy(keys, ({ chainId }) => chainId)) {
        requestCollectibles(stores.of(chainId).db, keysOfChain).catch((error: unknown) => {
          logger.warn({ err: error }, 'failed to queue NFT metadata')
        })
      }
    },
    recordHolders(chainId, holders) {
      recordHolders(stores.of(chainId).db, chainId, holders).catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to record holders')
      })
    },
  }
}

/** Creates the cursors on the first request, as their secret is stored; after a failure, the next request retries. */
function createCursorLoader({ stores }: Service): () => Promise<Cursors> {
  let loaded: Promise<Cursors> | undefined
  return () => {
    loaded ??= loadSharedSecret(stores.main, 'cursors')
      .then(createCursors)
      .catch((error: unknown) => {
        loaded = undefined
        throw error
      })
    return loaded
  }
}
