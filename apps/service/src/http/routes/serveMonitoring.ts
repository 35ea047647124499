import type { Handler } from 'hono'
import type { Kysely } from 'kysely'
import { decodeParameters, resolveChains } from '@headwater/contract/schemas'
import { loadAuditCoverage } from '../../audit/loadAuditCoverage.ts'
import { loadAuditFigures } from '../../audit/loadAuditFigures.ts'
import { ApiError } from '../../operations/ApiError.ts'
import type { NodeChains } from '../../operations/fromNode/NodeChains.ts'
import type { Database } from '../../store/Database.ts'
import { describeOutage } from '../../store/describeDatabaseError.ts'
import { isDatabaseUnavailable } from '../../store/isDatabaseUnavailable.ts'
import { queryInTime } from '../../store/queryInTime.ts'
import { msPerMinute } from '../../time.ts'
import { memoizeAsync } from '../cache/memoizeAsync.ts'
import type { ChangeFeed } from '../changes/ChangeFeed.ts'
import { header } from '../headers.ts'
import type { HonoEnv } from '../HonoEnv.ts'
import { loadReadiness, maxReadMs } from '../loadReadiness.ts'
import { respond, respondJson, setHeaders } from '../respond.ts'
import type { Service } from '../Service.ts'

/** Adds `/ready` and `/metrics`. */
export function serveMonitoring(
  serve: (path: string, handler: Handler<HonoEnv>) => void,
  service: Service,
  {
    nodeChains,
    feed,
  }: {
    readonly nodeChains: Pick<NodeChains, 'findHead'>
    readonly feed: Pick<ChangeFeed, 'count'>
  },
): void {
  const { config, stores, nodes, metrics } = service
  // These need no key, so they read the store at most once per second.
  const readReadiness = memoizeAsync(() => loadReadiness({ ...service, nodeChains }))
  const readAudits = memoizeAsync(() => loadFromStores(stores, loadAuditFigures))
  const audited = config.chains.filter(({ audit }) => audit.callsPerMinute > 0).map(({ id }) => id)
  const readCoverage = memoizeAsync(async () => {
    const coverage = await loadFromStores(stores, loadAuditCoverage)
    return coverage.filter(({ chainId }) => audited.includes(chainId))
  }, msPerMinute)
  serve('/ready', async (context) => {
    const requested = findRequestedChains(config.chains, context.req.url)
    const chains = await queryInTime(readReadiness(), maxReadMs).catch(throwCause)
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
    const [chains, audits, coverage] = await Promise.all([
      queryInTime(readReadiness(), maxReadMs).catch(() => undefined),
      queryInTime(readAudits(), maxReadMs).catch(() => undefined),
      queryInTime(readCoverage(), maxReadMs).catch(() => undefined),
    ])
    const stats = [...nodes].map(([chainId, node]) => [chainId, node.stats()] as const)
    const { replica } = stores.main
    metrics.setSubscriptions(feed.count)
    metrics.setReplicaUp(replica && !replica.isUnavailable)
    setHeaders(context, { 'Content-Type': metrics.contentType })
    return respond(context, await metrics.write(chains, stats, audits, coverage))
  })
}

/** Unlike operations, `/ready` states why the store is unavailable, as operators request it. */
function throwCause(error: unknown): never {
  throw isDatabaseUnavailable(error)
    ? new ApiError(503, 'STORE_UNAVAILABLE', `The database ${describeOutage(error)}`, {
        cause: error,
        retryAfterSeconds: 5,
      })
    : error
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
