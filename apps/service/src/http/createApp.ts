import { type Handler, Hono } from 'hono'
import type { Kysely } from 'kysely'
import { type OperationName, operations } from '@headwater/contract'
import {
  decodeParameters,
  describeSupportedChains,
  openApi,
  resolveChains,
} from '@headwater/contract/schemas'
import manifest from '../../package.json' with { type: 'json' }
import { loadAuditCoverage } from '../audit/loadAuditCoverage.ts'
import { loadAuditFigures } from '../audit/loadAuditFigures.ts'
import { recordHolders } from '../audit/recordHolders.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import { requestCollectibles } from '../metadata/requestCollectibles.ts'
import { ApiError } from '../operations/ApiError.ts'
import { WalletBatches } from '../operations/balances/WalletBatches.ts'
import { ChainReader } from '../operations/ChainReader.ts'
import { NodeChains } from '../operations/fromNode/NodeChains.ts'
import type { SharedContext } from '../operations/Handler.ts'
import { HeadCache } from '../operations/HeadCache.ts'
import { createCursors } from '../operations/paging/createCursors.ts'
import { loadSharedSecret } from '../operations/paging/loadSharedSecret.ts'
import { StoreCache } from '../operations/StoreCache.ts'
import { PriceCache } from '../pricing/PriceCache.ts'
import type { Database } from '../store/Database.ts'
import { msPerMinute } from '../time.ts'
import { indexChanges } from './cache/indexChanges.ts'
import { memoizeAsync } from './cache/memoizeAsync.ts'
import { prepareBody } from './cache/prepareBody.ts'
import { ResponseCache } from './cache/ResponseCache.ts'
import { ChangeFeed } from './changes/ChangeFeed.ts'
import { serveChanges } from './changes/serveChanges.ts'
import { type Capacity, createLimiter } from './createLimiter.ts'
import { createErrorHandler } from './errorHandler.ts'
import { allowedMethods, header } from './headers.ts'
import type { HonoEnv } from './HonoEnv.ts'
import { loadReadiness } from './loadReadiness.ts'
import { createPipeline } from './pipeline.ts'
import { respond, respondJson, respondPrepared, setHeaders } from './respond.ts'
import { serveMedia } from './routes/serveMedia.ts'
import { startPage, startPageHeaders } from './routes/startPage.ts'
import type { Service } from './Service.ts'

/** More concurrent reads than the store has connections, and some seconds of work waiting for them. */
const defaultCapacity: Capacity = { working: 32, waiting: 1024 }

/** Creates the HTTP API. An unknown path is 404 and a wrong method 405, before the key is checked. */
export function createApp(
  service: Service,
  access: KeyAccess,
  capacity: Capacity = defaultCapacity,
  nodeChains: NodeChains = createNodeChains(service),
  feed: ChangeFeed = createChangeFeed(service),
): Hono<HonoEnv> {
  const { config, stores, nodes, metrics, logger } = service
  const app = new Hono<HonoEnv>()
  const priceCache = new PriceCache()
  const changes = indexChanges(service, priceCache, feed)
  const pipeline = createPipeline(service, {
    access,
    cache: new ResponseCache(service.watch, changes),
    limiters: new Map(stores.all.map((store) => [store, createLimiter(capacity)])),
    loadContext: createContextLoader(service, {
      priceCache,
      storeCache: new StoreCache(service.watch, changes),
      nodeChains,
    }),
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
    serveChanges(serve, pipeline.subscription, {
      ...{ feed, chains: config.chains, keys: access.reader },
      fetch: (request) => app.fetch(request),
    })
  }

  const document = prepareBody(openApi({ version: manifest.version }))
  const supportedChains = prepareBody(describeSupportedChains(config.chains))
  serve('/', (context) => {
    setHeaders(context, startPageHeaders)
    return respond(context, startPage)
  })
  serve('/openapi.json', (context) => respondPrepared(context, document))
  serve('/v1/evm/supported-chains', (context) => respondPrepared(context, supportedChains))
  serve('/health', (context) => respondJson(context, { status: 'ok' }))
  // These need no key, so they read the store at most once per second.
  const readReadiness = memoizeAsync(() => loadReadiness({ ...service, nodeChains }))
  const readAudits = memoizeAsync(() => loadFromStores(stores, loadAuditFigures))
  const readCoverage = memoizeAsync(() => loadFromStores(stores, loadAuditCoverage), msPerMinute)
  serve('/ready', async (context) => {
    const requested = findRequestedChains(config.chains, context.req.url)
    const chains = await readReadiness()
    // One chain must not take the process out of a load balancer.
    const ready = requested
      ? chains.every(({ chain_id, available }) => available || !requested.has(chain_id))
      : chains.some(({ available }) => available)
    if (!ready) {
      setHeaders(context, { [header.retryAfter]: '5' })
    }
    const listed = chains.filter(({ chain_id }) => requested?.has(chain_id) ?? true)
    return respondJson(context, { ready, chains: listed }, ready ? 200 : 503)
  })
  serve('/metrics', async (context) => {
    // While the store is unavailable, the metrics report that, and those of requests and nodes.
    const chains = await readReadiness().catch(() => undefined)
    const audits = await readAudits().catch(() => undefined)
    const coverage = await readCoverage().catch(() => undefined)
    const stats = [...nodes].map(([chainId, node]) => [chainId, node.stats()] as const)
    metrics.setSubscriptions(feed.count)
    setHeaders(context, { 'Content-Type': metrics.contentType })
    return respond(context, await metrics.write(chains, stats, audits, coverage))
  })

  const handleError = createErrorHandler(access.meter, logger)
  app.notFound((context) =>
    handleError(new ApiError(404, 'NOT_FOUND', 'The path does not exist'), context),
  )
  app.onError(handleError)
  return app
}

/** Creates what answers for chains that are not indexed. Its searches end when it is closed. */
export function createNodeChains({ config, nodes, stores, media, logger }: Service): NodeChains {
  return new NodeChains(
    config.chains.flatMap((chain) => {
      const node = nodes.get(chain.id)
      const { db } = stores.of(chain.id)
      const { tokenLists, readDocument: readUri } = media
      return node ? [{ chain, node, db, tokenLists, readUri, logger }] : []
    }),
  )
}

/** Creates what delivers changes to subscriptions. It ends with the server. */
export function createChangeFeed(service: Service): ChangeFeed {
  return new ChangeFeed(service, new ChainReader(service.nodes))
}

/** Loads the figures of the chains of all stores that are available. */
async function loadFromStores<Figures extends { readonly chainId: number }>(
  stores: Service['stores'],
  load: (db: Kysely<Database>) => Promise<Figures[]>,
): Promise<Figures[]> {
  const loaded = await Promise.all(
    stores.all.map(async (store) => {
      const figures = await load(store.reader).catch(() => [])
      return figures.filter(({ chainId }) => stores.of(chainId) === store)
    }),
  )
  return loaded.flat()
}

/**
 * The ids of the chains that `chain_ids` selects; undefined without it.
 *
 * @throws {ApiError | InvalidRequestError} when one of them is unknown.
 */
function findRequestedChains(
  served: Service['config']['chains'],
  url: string,
): ReadonlySet<number> | undefined {
  const { chainIds } = decodeParameters('collectibles', {}, new URL(url).searchParams)
  if (chainIds === undefined) {
    return undefined
  }
  const ids = chainIds as readonly (number | string)[]
  const { chains, unsupportedChainIds } = resolveChains(served, ids)
  if (unsupportedChainIds.length > 0) {
    const message = `Unsupported chains: ${unsupportedChainIds.join(', ')}`
    throw new ApiError(404, 'CHAIN_NOT_SUPPORTED', message, { param: 'chain_ids' })
  }
  return new Set(chains.map(({ id }) => id))
}

/** Creates what the handlers of all operations share on the first request; after a failure, the next request retries. */
function createContextLoader(
  { nodes, stores, media, logger }: Service,
  shared: Pick<SharedContext, 'priceCache' | 'storeCache' | 'nodeChains'>,
) {
  const chainReader = new ChainReader(nodes)
  const headCache = new HeadCache()
  const load = async (): Promise<SharedContext> => ({
    ...shared,
    chainReader,
    headCache,
    walletBatches: new WalletBatches(),
    links: media.links,
    requestCollectibles: (keys) => {
      for (const [chainId, keysOfChain] of Map.groupBy(keys, ({ chainId }) => chainId)) {
        requestCollectibles(stores.of(chainId).db, keysOfChain).catch((error: unknown) => {
          logger.warn({ err: error }, 'failed to queue NFT metadata')
        })
      }
    },
    recordHolders: (chainId, holders) => {
      recordHolders(stores.of(chainId).db, chainId, holders).catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to record holders')
      })
    },
    cursors: createCursors(await loadSharedSecret(stores.main.db, 'cursors')),
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
