import { pino } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { ChainIndexer } from '../indexing/ChainIndexer.ts'
import { Heads } from '../indexing/Heads.ts'
import type { BlockRef } from '../rpc/BlockHeader.ts'
import { ChainNode } from '../rpc/ChainNode.ts'
import type { Store } from '../store/Store.ts'

/** Runs an indexer over a store, and says when it has reached a block. */
export function indexTestChain(store: Store, chain: ChainConfig) {
  const heads = new Heads()
  const stopper = new AbortController()
  const node = new ChainNode(chain.rpcUrls)
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' })
  const indexer = new ChainIndexer({ chain, db: store.db, node, heads, logger })
  let newest: BlockRef | undefined
  const waiting = new Set<() => void>()
  heads.onHead((_, block) => {
    newest = block
    for (const check of waiting) check()
  })
  const ended = indexer.run(stopper.signal)
  ended.catch(() => {})
  return {
    node,
    /** Rejects with what the indexer ended with. */
    ended,
    /** Waits until this block is the newest indexed one. */
    async reaches(hash: string): Promise<void> {
      const reached = new Promise<void>((resolve) => {
        const check = () => {
          if (newest?.hash !== hash) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      })
      const never = ended.then(() => {
        throw new Error('The indexer ended before')
      })
      await Promise.race([reached, never])
    },
    async stop(): Promise<void> {
      stopper.abort()
      await ended
    },
  }
}
