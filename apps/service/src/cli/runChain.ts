import type { Logger } from 'pino'
import { Auditor } from '../audit/Auditor.ts'
import type { ChainConfig } from '../config/Config.ts'
import { ChainIndexer } from '../indexing/ChainIndexer.ts'
import { IndexingError } from '../indexing/IndexingError.ts'
import type { Media } from '../media/createMedia.ts'
import { CollectibleReader } from '../metadata/CollectibleReader.ts'
import { MetadataReader } from '../metadata/MetadataReader.ts'
import { keepPriceHistory } from '../pricing/keepPriceHistory.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Store } from '../store/Store.ts'
import { IndexerReport } from './IndexerReport.ts'

/** What is needed to run one chain, and whom to tell. */
interface RunChainOptions {
  readonly chain: ChainConfig
  readonly store: Store
  readonly node: ChainNode
  readonly media: Pick<Media, 'readDocument'>
  readonly logger: Logger
  /** Called when everything up to the head is indexed. */
  readonly onSynced: () => void
  /** Called when another process indexes the chain, and this one stands by. */
  readonly onStandby?: () => void
  readonly onProgress: (text: string) => void
}

/**
 * Indexes a chain, and beside that reads its tokens' and NFTs' metadata, audits its ledger and thins its price history,
 * until the signal aborts. While another process indexes it, this one waits; it takes over when the other is gone.
 *
 * @throws {IndexingError} when the chain cannot go on without a person.
 */
export async function runChain(options: RunChainOptions, stop: AbortSignal): Promise<void> {
  const { chain, store, onStandby } = options
  const logger = options.logger.child({ chain: chain.id })
  const onWaiting = (error?: unknown) => {
    if (error !== undefined) {
      return logger.warn({ err: error }, 'waiting for the store')
    }
    logger.info('another process indexes this chain; standing by')
    onStandby?.()
  }
  for (;;) {
    const lock = await store.lockChain(chain.id, { signal: stop, onWaiting })
    if (!lock) {
      return
    }
    try {
      await indexChain({ ...options, logger }, AbortSignal.any([stop, lock.lost]))
    } finally {
      await lock.release()
    }
    if (stop.aborted) {
      return
    }
    logger.warn('the right to index this chain was lost; indexing waits for it')
  }
}

async function indexChain(options: RunChainOptions, stop: AbortSignal): Promise<void> {
  const { chain, store, node, media, logger, onSynced, onProgress } = options
  const report = new IndexerReport({
    db: store.db,
    chainId: chain.id,
    logger,
    progress: () => indexer.progress,
  })
  const metadata = new MetadataReader(store.db, node, chain.id, logger)
  const audited = { db: store.db, node, chainId: chain.id, logger }
  const auditor = new Auditor(audited, chain.audit.callsPerMinute)
  const indexer: ChainIndexer = new ChainIndexer({
    chain,
    db: store.db,
    node,
    logger,
    onHead: (head) => report.follows(head),
    onCommit: () => {
      report.isWell()
      report.progressed()
      metadata.wake()
      auditor.wake()
    },
    beforeSynced: (signal) => auditor.auditFirst(signal),
    onSynced: () => {
      report.isWell()
      onSynced()
    },
    onProgress: (text) => onProgress(`${chain.name}: ${text}`),
  })
  const ended = new AbortController()
  const collectibles = new CollectibleReader({
    db: store.db,
    node,
    chainId: chain.id,
    readUri: media.readDocument,
    logger,
  })
  const untilEnd = AbortSignal.any([stop, ended.signal])
  const reading = Promise.all([
    metadata.run(untilEnd),
    collectibles.run(untilEnd),
    auditor.run(untilEnd),
    keepPriceHistory({ store, chain, logger }, untilEnd),
  ])
  try {
    await indexer.run(stop)
  } catch (error) {
    if (error instanceof IndexingError) {
      await report.stopped(error.message)
    }
    throw error
  } finally {
    ended.abort()
    await reading
    await report.close()
  }
}
