import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import { createLruCache } from '../../createLruCache.ts'
import { Semaphore } from '../../queues/Semaphore.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import type { Database } from '../../store/Database.ts'
import { toChunks } from '../../toChunks.ts'
import { maxSentIn } from './foldTransfers.ts'
import { type HolderDetails, type ScannedHolder, writeHolderDetails } from './holderRows.ts'

/** Transactions or blocks that are fetched at once: hosted nodes limit requests rather than bytes. */
const batchSize = 100
/** The longest wait of a response for details of its holders. Details that are found later are part of later responses. */
const waitMs = 1_000
/** Pages that wait. The next request of another one repeats it. */
const maxPending = 100
const maxCached = 100_000

interface Options {
  readonly chain: Pick<ChainConfig, 'id' | 'finalityDepth'>
  readonly node: Pick<ChainNode, 'getBlockTimes' | 'getSenders' | 'getContracts'>
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Finds what logs lack about the holders of a page: the times of their first transfers, and whether they sent one of the
 * transactions themselves. It runs in the background, page by page.
 */
export class HolderHistory {
  readonly #options: Options
  /** By block. */
  readonly #times = createLruCache<number, number>(maxCached)
  /** By hash of the transaction. */
  readonly #senders = createLruCache<string, string>(maxCached)
  /** Accounts with code, which send no transactions. */
  readonly #contracts = createLruCache<string, true>(maxCached)
  readonly #pages = new Semaphore(1)
  readonly #ended = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** What is known about a holder. */
  describe(holder: ScannedHolder): HolderDetails {
    const { firstInBlock, firstInTime, hasInitiated, sentIn } = holder
    const time = firstInBlock === undefined ? undefined : this.#times.get(firstInBlock)
    const isSender = sentIn.some((hash) => this.#senders.get(hash) === holder.holder)
    const isContract = this.#contracts.has(holder.holder)
    // Of an account with further transactions, one may be its own.
    const isNoSender =
      isContract || (sentIn.length < maxSentIn && sentIn.every((hash) => this.#senders.has(hash)))
    const found = isSender ? true : isNoSender ? false : undefined
    return {
      holder: holder.holder,
      sentIn,
      isContract,
      firstInTime: firstInTime ?? time,
      initiated: hasInitiated ?? found,
    }
  }

  /** Finds what is unknown about holders, and waits up to a second for it. */
  async complete(token: string, holders: readonly ScannedHolder[], head: BlockRef): Promise<void> {
    const finalBlock = head.number - this.#options.chain.finalityDepth
    const missing = holders.filter((each) => {
      const { firstInTime, initiated } = this.describe(each)
      // The times of blocks that a reorg may replace are those of their logs.
      const hasTime = firstInTime !== undefined || (each.firstInBlock ?? Infinity) > finalBlock
      return !hasTime || initiated === undefined
    })
    if (missing.length === 0 || this.#pages.pendingCount >= maxPending) {
      return
    }
    const { signal } = this.#ended
    const running = this.#pages
      .run(() => this.#find(token, missing, head), signal)
      // The error may reveal the URL of the node. The next request of the page repeats it.
      .catch(() => {})
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    await Promise.race([running, delay(waitMs, undefined, { ref: false })])
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#running)
  }

  async #find(token: string, holders: readonly ScannedHolder[], head: BlockRef): Promise<void> {
    const { node, db, chain } = this.#options
    const finalBlock = head.number - chain.finalityDepth
    const options = { signal: this.#ended.signal, priority: 'search' } as const
    const blocks = holders.flatMap(({ firstInBlock, firstInTime }) =>
      firstInBlock === undefined || firstInTime !== undefined || firstInBlock > finalBlock
        ? []
        : firstInBlock,
    )
    await inBatches(blocks, this.#times, (batch) => node.getBlockTimes(batch, options))
    const unknown = holders.filter(({ hasInitiated }) => hasInitiated === undefined)
    const hashes = unknown.flatMap(({ sentIn }) => sentIn)
    await inBatches(hashes, this.#senders, (batch) => node.getSenders(batch, options))
    const others = holders
      .filter((each) => !this.describe(each).initiated && !this.#contracts.has(each.holder))
      .map(({ holder }) => holder)
    for (const batch of toChunks(others, batchSize)) {
      for (const contract of await node.getContracts(batch, head, options)) {
        this.#contracts.set(contract, true)
      }
    }
    const details = holders.map((each) => this.describe(each))
    await writeHolderDetails(db, { chainId: chain.id, token }, details)
  }
}

/** Loads the values that a cache does not have. */
async function inBatches<Key extends string | number, Value extends string | number>(
  keys: readonly Key[],
  cache: LRUCache<Key, Value>,
  load: (batch: readonly Key[]) => Promise<Iterable<readonly [Key, Value]>>,
): Promise<void> {
  const missing = [...new Set(keys)].filter((key) => !cache.has(key))
  for (const batch of toChunks(missing, batchSize)) {
    for (const [key, value] of await load(batch)) {
      cache.set(key, value)
    }
  }
}
