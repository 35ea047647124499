import { EventEmitter, once } from 'node:events'
import { pino } from 'pino'
import type { ChainConfig } from '../src/config/Config.ts'
import { ChainIndexer } from '../src/indexing/ChainIndexer.ts'
import { loadCursor } from '../src/indexing/follow/Cursor.ts'
import { ChainNode } from '../src/rpc/ChainNode.ts'
import { Backoff } from '../src/rpc/transport/Backoff.ts'
import type { Store } from '../src/store/Store.ts'

/** Runs an indexer on a store until it is stopped. */
export function indexTestChain(
  { db }: Store,
  chain: ChainConfig,
  options: Partial<ConstructorParameters<typeof ChainIndexer>[0]> = {},
) {
  const stopper = new AbortController()
  const { id: chainId, rpcUrls, verify } = chain
  const node = new ChainNode(rpcUrls, { retryDelayMs: 10, verify, chainId })
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  // A test can wait for many blocks at the same time.
  const commits = new EventEmitter().setMaxListeners(0)
  const onChange = () => void commits.emit('change')
  const indexer = new ChainIndexer({
    chain,
    db,
    node,
    logger,
    backoff: new Backoff(10),
    ...options,
    onCommit: onChange,
    onSynced() {
      options.onSynced?.()
      onChange()
    },
  })
  const ended = indexer.run(stopper.signal)
  ended.catch(() => {})
  return {
    node,
    finality: () => indexer.finality,
    /** Rejects with the error of the indexer. */
    ended,
    /** Waits until this block is the indexed head and, unless `isSynced` is false, the chain is synced. */
    async reaches(hash: string, isSynced = true): Promise<void> {
      const never = ended.then(() => {
        throw new Error('The indexer stopped before it reached the block')
      })
      never.catch(() => {})
      for (;;) {
        const next = once(commits, 'change')
        const cursor = await loadCursor(db, chain.id)
        if (cursor?.block?.hash === hash && (cursor.isSynced || !isSynced)) {
          return
        }
        await Promise.race([next, never])
      }
    },
    async stop(): Promise<void> {
      stopper.abort()
      await ended
    },
  }
}
