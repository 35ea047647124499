import type { Logger } from 'pino'
import { Auditor } from '../audit/Auditor.ts'
import type { ChainConfig, FactsConfig } from '../config/Config.ts'
import { FactsError } from '../facts/FactsError.ts'
import { keepFacts } from '../facts/keepFacts.ts'
import { formatReason } from '../formatReason.ts'
import { ChainIndexer } from '../indexing/ChainIndexer.ts'
import { getOwnerFunctions } from '../indexing/decode/legacyCollections.ts'
import { IndexingError } from '../indexing/IndexingError.ts'
import type { Media } from '../media/createMedia.ts'
import { CollectibleReader } from '../metadata/CollectibleReader.ts'
import { MetadataReader } from '../metadata/MetadataReader.ts'
import { NotableTokens } from '../metadata/NotableTokens.ts'
import { keepPriceHistory } from '../pricing/keepPriceHistory.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { describeDatabaseError, describeOutage } from '../store/describeDatabaseError.ts'
import { loadHold } from '../store/loadHold.ts'
import type { ChainLock, Store } from '../store/Store.ts'
import { StoreError } from '../store/StoreError.ts'
import { type Activity, IndexerStatus } from './IndexerStatus.ts'

interface RunChainOptions {
  readonly chain: ChainConfig
  readonly store: Store
  readonly node: ChainNode
  readonly media: Pick<Media, 'readDocument' | 'tokenLists'>
  readonly facts?: FactsConfig | undefined
  readonly logger: Logger
  /** Awaited before each commit of blocks. */
  readonly beforeCommit?: (() => Promise<unknown>) | undefined
  /** Called when the head is indexed. */
  readonly onSynced: () => void
  /** Called when another process holds the chain's lock and this one stands by. */
  readonly onStandby?: () => void
  /** Called with the reason while the chain cannot be locked, which contains no secrets, and without one once that is over. */
  readonly onFailure: (reason: string | undefined) => void
  readonly onProgress: (text: string) => void
}

/**
 * Indexes a chain until the signal aborts, and meanwhile fetches the metadata of its tokens and NFTs, audits its ledger
 * and downsamples its price history. While another process holds the chain's lock, this one stands by for it.
 *
 * @throws {IndexingError} when indexing cannot continue without an operator.
 */
export async function runChain(options: RunChainOptions, stop: AbortSignal): Promise<void> {
  const { chain, store } = options
  const logger = options.logger.child({ chain: chain.id })
  for (;;) {
    const lock = await lockChain({ ...options, logger }, stop)
    if (!lock) {
      return
    }
    try {
      // Between its release by another process and a repair, this one may have acquired the lock.
      if ((await loadHold(store.db, chain.id)) !== undefined) {
        return
      }
      await indexChain({ ...options, logger }, AbortSignal.any([stop, lock.lost]))
    } finally {
      await lock.release()
    }
    if (stop.aborted) {
      return
    }
    logger.warn('lost the indexing lock; waiting to acquire it again')
  }
}

/** Locks a chain, as soon as that is possible. Another process may index and serve it meanwhile, so it is not stopped. */
async function lockChain(
  { chain, store, logger, onStandby, onFailure }: RunChainOptions,
  signal: AbortSignal,
): Promise<ChainLock | undefined> {
  const backoff = new Backoff()
  const onWaiting = (error?: unknown) => {
    if (error === undefined) {
      logger.info('another process indexes this chain; standing by')
      onFailure(undefined)
      onStandby?.()
    } else {
      logger.warn({ err: error }, 'store unavailable, retrying')
      onFailure(`its database ${describeOutage(error)}`)
    }
  }
  while (!signal.aborted) {
    try {
      const lock = await store.lockChain(chain.id, { signal, onWaiting })
      onFailure(undefined)
      return lock
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error
      }
      onFailure(error.message)
      const log = () => logger.error({ err: error }, 'the chain cannot be locked, retrying')
      await backoff.failed(error, log, signal)
    }
  }
  return undefined
}

async function indexChain(options: RunChainOptions, stop: AbortSignal): Promise<void> {
  const { chain, store, node, media, facts, logger, beforeCommit, onSynced, onProgress } = options
  const status = new IndexerStatus({
    db: store.db,
    chainId: chain.id,
    logger,
    progress: () => indexer.progress,
    finality: () => indexer.finality,
    warnAfterSeconds: chain.staleness.warnAfterSeconds,
  })
  const ownerFunctions = getOwnerFunctions(chain.legacyCollections)
  const shared = { db: store.db, node, chainId: chain.id, logger, ownerFunctions }
  const metadata = new MetadataReader(shared)
  const collectibles = new CollectibleReader({ ...shared, readUri: media.readDocument })
  const failureOf = (activity: Activity) => (error: unknown) =>
    status.setFailure(activity, error === undefined ? undefined : formatFailure(error, node))
  const auditor = new Auditor(shared, chain.audit.callsPerMinute, failureOf('audit'))
  const notable = new NotableTokens({ db: store.db, chain, tokenLists: media.tokenLists })
  const indexer: ChainIndexer = new ChainIndexer({
    chain,
    db: store.db,
    node,
    logger,
    facts,
    beforeCommit,
    onHead: (head) => status.setHead(head),
    onConfirmed: () => status.setConfirmed(),
    onStage: (stage) => status.setStage(stage),
    onCommit: () => {
      status.setRunning()
      status.scheduleWrite()
      metadata.wake()
      auditor.wake()
    },
    beforeSynced: async (signal) => {
      await notable.mark()
      await auditor.auditFirst(signal)
      // What nodes returned to clients until now must not be missing for a while.
      await metadata.settle(signal)
    },
    onSynced: () => {
      status.setRunning()
      onSynced()
    },
    onFailure: failureOf('indexing'),
    onProgress: (text) => onProgress(`${chain.name}: ${text}`),
  })
  const ended = new AbortController()
  const untilEnd = AbortSignal.any([stop, ended.signal])
  const reading = Promise.all([
    metadata.run(untilEnd),
    collectibles.run(untilEnd),
    auditor.run(untilEnd),
    keepPriceHistory({ store, chain, logger }, untilEnd),
    facts &&
      keepFacts(
        { chain, db: store.db, node, facts, logger, onFailure: failureOf('facts') },
        untilEnd,
      ),
    notable.run(logger, untilEnd),
  ])
  try {
    await indexer.run(stop)
  } catch (error) {
    if (error instanceof IndexingError) {
      await status.setStopped(error.message)
    }
    throw error
  } finally {
    ended.abort()
    await reading
    await status.close()
  }
}

/** By the codes of the system and of PostgreSQL. */
const fullDisks: Readonly<Record<string, string>> = {
  ENOSPC: 'the facts',
  EDQUOT: 'the facts',
  53100: 'the database',
}
/** Errors of DuckDB, which writes the files of facts, have no code. */
const fullDisk = /no space left on device|disk quota exceeded/i

/** What `/ready` returns: errors of nodes and those for operators contain no secrets, unlike others, which are logged. */
export function formatFailure(error: unknown, node: Pick<ChainNode, 'stats'>): string {
  if (error instanceof StoreError || error instanceof FactsError) {
    return error.message
  }
  if (!(error instanceof NodeError)) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const disk = fullDisks[code] ?? (fullDisk.test(formatReason(error)) ? 'the facts' : undefined)
    if (disk !== undefined) {
      return `the disk of ${disk} is full: free space, and it continues`
    }
    // Codes of the system may be those of files.
    return /^\d/.test(code) && describeDatabaseError(error) !== undefined
      ? `its database ${describeOutage(error)}`
      : 'an internal error; see the log'
  }
  const nodes = node
    .stats()
    .flatMap(({ name, lastError }) => (lastError ? `${name}: ${lastError}` : []))
  return nodes.length === 0
    ? error.message
    : `${error.message} (last errors of the nodes: ${nodes.join(', ')})`
}
