import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { ChainIndexer } from '../indexing/ChainIndexer.ts'
import { MetadataReader } from '../metadata/MetadataReader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Store } from '../store/Store.ts'

/** What is needed to run one chain, and whom to tell. */
interface RunChainOptions {
  readonly chain: ChainConfig
  readonly store: Store
  readonly node: ChainNode
  readonly logger: Logger
  readonly onSynced: () => void
  readonly onProgress: (text: string) => void
}

/**
 * Indexes a chain, and reads its tokens' metadata beside that, until the signal aborts.
 *
 * @throws {IndexingError} when the chain cannot go on without a person.
 */
export async function runChain(options: RunChainOptions, stop: AbortSignal): Promise<void> {
  const { chain, store, node, onSynced, onProgress } = options
  const logger = options.logger.child({ chain: chain.id })
  const metadata = new MetadataReader(store.db, node, chain.id, logger)
  const indexer = new ChainIndexer({
    chain,
    db: store.db,
    node,
    logger,
    onCommit: () => metadata.wake(),
    onSynced,
    onProgress: (text) => onProgress(`${chain.name}: ${text}`),
  })
  const ended = new AbortController()
  const reading = metadata.run(AbortSignal.any([stop, ended.signal]))
  try {
    await indexer.run(stop)
  } finally {
    ended.abort()
    await reading
  }
}
