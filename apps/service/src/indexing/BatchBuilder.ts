import type { Log } from '../rpc/Log.ts'
import type { Batch } from './Batch.ts'
import { Changes } from './Changes.ts'
import { decodeLog } from './decodeLog.ts'
import type { Fact, PoolStateFact } from './Fact.ts'
import type { FetchedBlocks } from './fetchBlocks.ts'
import { foldCollectibleTransfer, foldTransfer, see } from './foldTransfer.ts'
import type { LoadPools, PoolBook } from './PoolBook.ts'
import type { Scope } from './Scope.ts'

/** What a builder works with. */
interface BatchBuilderOptions {
  readonly scope: Scope
  /** Shared by the batches of a chain, each of which leaves in it what it added. */
  readonly pools: PoolBook
  readonly loadPools: LoadPools
  /** Highest block that counts as final: blocks above are kept apart, each for its own undo. */
  readonly finalBlock: number
}

/**
 * Folds blocks and their logs into the rows of one commit.
 *
 * The same chain gives the same rows however its blocks are cut into batches.
 */
export class BatchBuilder {
  readonly #options: BatchBuilderOptions
  readonly #blocks: Batch['blocks'][number][] = []
  readonly #final = new Changes()
  readonly #replaceable: { block: number; changes: Changes }[] = []
  readonly #startedAt = performance.now()
  #logs = 0
  #moves = 0
  #isWhole = true

  constructor(options: BatchBuilderOptions) {
    this.#options = options
  }

  /** How much it holds, to cut batches by: what its logs tell, where one may move many NFTs. */
  get size(): { readonly blocks: number; readonly moves: number } {
    return { blocks: this.#blocks.length, moves: this.#moves }
  }

  /** Whether all was folded that was added. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Milliseconds since it began. */
  get ageMs(): number {
    return performance.now() - this.#startedAt
  }

  /** Adds the blocks that follow, and their logs in the chain's order. */
  async add({ blocks, logs }: FetchedBlocks): Promise<void> {
    const { scope, pools, loadPools } = this.#options
    this.#isWhole = false
    for (const { number, hash, time } of blocks) this.#blocks.push({ number, hash, time })
    this.#logs += logs.length
    const facts: { fact: Fact; log: Log }[] = []
    const ofPools: PoolStateFact[] = []
    for (const log of logs) {
      const fact = decodeLog(log, scope)
      if (!fact) continue
      facts.push({ fact, log })
      this.#moves += fact.kind === 'collectible-transfer' ? fact.items.length : 1
      if ('pool' in fact) ofPools.push(fact)
    }
    await pools.load(ofPools, loadPools)

    let changes = this.#final
    let block: number | undefined
    for (const { fact, log } of facts) {
      if (log.blockNumber !== block) {
        if (block !== undefined) pools.endBlock(changes, block)
        block = log.blockNumber
        changes = this.#changesOf(block)
      }
      this.#fold(changes, fact, log)
    }
    if (block !== undefined) pools.endBlock(changes, block)
    this.#isWhole = true
  }

  /** All that was added. */
  get batch(): Batch {
    const { finalBlock } = this.#options
    return {
      blocks: this.#blocks,
      logs: this.#logs,
      finalBlock,
      final: this.#final,
      replaceable: this.#replaceable,
    }
  }

  #changesOf(block: number): Changes {
    if (block <= this.#options.finalBlock) return this.#final
    const changes = new Changes()
    this.#replaceable.push({ block, changes })
    return changes
  }

  #fold(changes: Changes, fact: Fact, log: Log): void {
    const { blockNumber: block, logIndex } = log
    const { pools } = this.#options
    switch (fact.kind) {
      case 'transfer':
        return foldTransfer(changes, fact, log)
      case 'collectible-transfer':
        return foldCollectibleTransfer(changes, fact, log)
      case 'sale':
        changes.sales.push({ ...fact, block, logIndex })
        return
      case 'pool':
        if (!pools.add(fact.address, fact.type)) return
        changes.pools.push({ ...fact, block })
        see(changes, fact.token0, 20, block)
        see(changes, fact.token1, 20, block)
        return
      case 'reserves':
      case 'price':
      case 'liquidity':
        return pools.fold(changes, fact, block)
    }
  }
}
