import { EventEmitter, once } from 'node:events'
import { pino } from 'pino'
import type { ChainConfig } from '../src/config/Config.ts'
import { ChainIndexer } from '../src/indexing/ChainIndexer.ts'
import { loadCursor } from '../src/indexing/follow/Cursor.ts'
import { ChainNode } from '../src/rpc/ChainNode.ts'
import { Backoff } from '../src/rpc/transport/Backoff.ts'
import type { Store } from '../src/store/Store.ts'

/** Runs an indexer over a store, and says when it has reached a block. */
export function indexTestChain(
  { db }: Store,
  chain: ChainConfig,
  options: Partial<ConstructorParameters<typeof ChainIndexer>[0]> = {},
) {
  const stopper = new AbortController()
  const node = new ChainNode(chain.rpcUrls, { retryDelayMs: 10 })
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  // A test may wait for many blocks and see only some of them come.
  const commits = new EventEmitter().setMaxListeners(0)
  const told = () => void commits.emit('told')
  const indexer = new ChainIndexer({
    ...{ chain, db, node, logger, backoff: new Backoff(10), ...options },
    onCommit: told,
    onSynced() {
      options.onSynced?.()
      told()
    },
  })
  const ended = indexer.run(stopper.signal)
  ended.catch(() => {})
  return {
    node,
    /** Rejects with what the indexer ended with. */
    ended,
    /** Waits until this block is the newest indexed one, and the chain is called synced unless that is not waited for. */
    async reaches(hash: string, isSynced = true): Promise<void> {
      const never = ended.then(() => {
        throw new Error('The indexer ended before')
      })
      never.catch(() => {})
      for (;;) {
        const next = once(commits, 'told')
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
