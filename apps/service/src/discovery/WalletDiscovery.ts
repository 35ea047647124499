import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { topics } from '../indexing/decode/topics.ts'
import { Semaphore } from '../queues/Semaphore.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { LogTopics, TopicLog } from '../rpc/methods/getNewestLogs.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import type { Database } from '../store/Database.ts'
import { addRange, type BlockRange, type Coverage, findGap, getShare } from './Coverage.ts'
import { loadWalletRows, writeWalletRows } from './walletRows.ts'

/** The tokens that a wallet may hold at a block, as far as its transfers are known. */
export interface Discovered {
  /** Contracts in lower case. */
  readonly tokens: ReadonlySet<string>
  /** The block since which all transfers are known; undefined if the latest ones are not. */
  readonly knownSinceBlock: number | undefined
  /** The share of the chain's blocks that were searched, from 0 to 1. */
  readonly share: number
}

/** Wallets in memory. */
const maxWallets = 10_000
/** Wallets with more tokens are those of exchanges and contracts: their search ends. */
const maxTokens = 5_000
/** Searches in flight per chain. Requests of clients are not limited by it. */
const maxSearches = 2
/** Wallets that are searched or wait for it. The next request of another one starts its search. */
const maxRunning = 1_000
/** A response waits this long for the search if many blocks are unknown, which is enough for short chains. */
const firstWaitMs = 1_000
/** Timeout of the whole search in the latest blocks, which each response waits for. */
const recentTimeoutMs = 5_000
/** So many new final blocks are searched together. Until then, each response searches them. */
const minFinalBlocks = 256
const writeIntervalMs = 1_000
/** A search ends after so many failures in a row. The next request of the wallet starts another one. */
const maxFailures = 5

interface Options {
  readonly chain: Pick<ChainConfig, 'id' | 'startBlock' | 'finalityDepth'>
  readonly node: Pick<ChainNode, 'getNewestLogs'>
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn'>
}

/** A wallet in memory. */
interface Wallet {
  readonly address: string
  readonly tokens: Set<string>
  /** Those that the store does not have yet. */
  readonly unwritten: Set<string>
  /** Final blocks. */
  coverage: Coverage
  /** Resolves when the search for its history ends. */
  searching: Promise<void> | undefined
  /** What was found in the blocks up to the head. */
  recent: RecentTokens | undefined
}

interface RecentTokens {
  /** The head. */
  readonly hash: string
  /** The first block that is searched. */
  readonly from: number
  /** Undefined if no node returns them. */
  readonly tokens: Promise<readonly string[] | undefined>
}

/**
 * Finds the tokens that wallets may hold by the logs of their transfers: the newest first, in the background, once. It
 * searches the latest blocks for each response, and all blocks below, which are final, only once.
 *
 * It finds no tokens that are held without a standard event, and none with an indexed amount.
 */
export class WalletDiscovery {
  readonly #options: Options
  readonly #searches = new Semaphore(maxSearches)
  readonly #wallets = new LRUCache<string, Promise<Wallet>>({ max: maxWallets })
  readonly #ended = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Finds the tokens of a wallet up to the head, and starts to search its history unless that is known.
   *
   * @param wallet - address in lower case.
   * @throws {unknown} when the store is unavailable.
   */
  async find(wallet: string, head: BlockRef): Promise<Discovered> {
    const { startBlock, finalityDepth } = this.#options.chain
    const state = await this.#load(wallet)
    const finalBlock = head.number - finalityDepth
    const isBehind = !isNear(state.coverage, finalBlock)
    this.#search(state, { from: startBlock, to: finalBlock })
    if (isBehind && state.searching) {
      await Promise.race([state.searching, delay(firstWaitMs, undefined, { ref: false })])
    }
    const from = findRecentStart(state.coverage, startBlock, finalBlock)
    // The covered blocks may have changed since.
    if (state.recent?.hash !== head.hash || state.recent.from > from) {
      state.recent = { hash: head.hash, from, tokens: this.#findReceived(wallet, from, head) }
    }
    const { recent } = state
    const received = await recent.tokens
    if (!received && state.recent === recent) {
      state.recent = undefined
    }
    const whole = { from: startBlock, to: head.number }
    const known = received
      ? addRange(state.coverage, { from: recent.from, to: head.number })
      : state.coverage
    const latest = known.find(({ to }) => to >= head.number)
    return {
      tokens: new Set([...state.tokens, ...(received ?? [])]),
      knownSinceBlock: latest && Math.max(latest.from, startBlock),
      share: getShare(known, whole),
    }
  }

  /** Ends all searches. What they found is written. */
  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#running)
  }

  async #load(wallet: string): Promise<Wallet> {
    const cached = this.#wallets.get(wallet)
    if (cached) {
      return await cached
    }
    const { db, chain } = this.#options
    const loading = loadWalletRows(db, { chainId: chain.id, wallet }).then(
      ({ tokens, coverage }): Wallet => ({
        address: wallet,
        tokens: new Set(tokens),
        unwritten: new Set(),
        coverage,
        searching: undefined,
        recent: undefined,
      }),
    )
    this.#wallets.set(wallet, loading)
    loading.catch(() => this.#wallets.delete(wallet))
    return await loading
  }

  /** The tokens that a wallet received in the latest blocks; undefined if no node returns them. */
  async #findReceived(
    wallet: string,
    from: number,
    head: BlockRef,
  ): Promise<readonly string[] | undefined> {
    const tokens: string[] = []
    const endsAt = performance.now() + recentTimeoutMs
    try {
      for (let to = head.number; to >= from;) {
        const timeoutMs = endsAt - performance.now()
        if (timeoutMs <= 0) {
          return undefined
        }
        const found = await this.#options.node.getNewestLogs(
          [receivedBy(wallet)],
          { from, to },
          { timeoutMs, signal: this.#ended.signal },
        )
        tokens.push(...getTokens(found.logs))
        to = found.from - 1
      }
      return tokens
    } catch {
      // The error may reveal the URL of the node.
      return undefined
    }
  }

  /** Starts to search final blocks that are not covered, unless they are few or a search is in flight. */
  #search(wallet: Wallet, range: BlockRange): void {
    const gap = findGap(wallet.coverage, range)
    const isFew =
      gap?.to === range.to && wallet.coverage.length > 0 && gap.to - gap.from < minFinalBlocks
    const isNeeded = gap && !(isFew && !findGap(wallet.coverage, { ...range, to: gap.from - 1 }))
    const isPossible =
      wallet.tokens.size < maxTokens &&
      this.#running.size < maxRunning &&
      !this.#ended.signal.aborted
    if (wallet.searching || !isNeeded || !isPossible) {
      return
    }
    const searching = this.#searchAll(wallet, range).finally(() => {
      wallet.searching = undefined
      this.#running.delete(searching)
    })
    wallet.searching = searching
    this.#running.add(searching)
  }

  async #searchAll(wallet: Wallet, range: BlockRange): Promise<void> {
    const { node, chain, logger } = this.#options
    const { signal } = this.#ended
    const filters = [receivedBy(wallet.address), sentBy(wallet.address)]
    const backoff = new Backoff()
    let writtenAt = performance.now()
    let failures = 0
    for (;;) {
      const gap = findGap(wallet.coverage, range)
      if (!gap || wallet.tokens.size >= maxTokens || failures === maxFailures || signal.aborted) {
        break
      }
      try {
        const { logs, from } = await this.#searches.run(
          () => node.getNewestLogs(filters, gap, { signal }),
          signal,
        )
        for (const token of getTokens(logs)) {
          if (!wallet.tokens.has(token)) {
            wallet.unwritten.add(token)
          }
          wallet.tokens.add(token)
        }
        wallet.coverage = addRange(wallet.coverage, { from, to: gap.to })
        failures = 0
        backoff.succeeded()
        if (performance.now() - writtenAt > writeIntervalMs) {
          await this.#write(wallet)
          writtenAt = performance.now()
        }
      } catch (error) {
        failures++
        const log = () => logger.warn({ chain: chain.id, err: error }, 'wallet search failed')
        await backoff.failed(log, signal)
      }
    }
    await this.#write(wallet)
  }

  /** While the store is unavailable, the next write, or another search after a restart, repeats it. */
  async #write({ address, coverage, unwritten }: Wallet): Promise<void> {
    const { db, chain, logger } = this.#options
    const tokens = [...unwritten]
    try {
      await writeWalletRows(db, { chainId: chain.id, wallet: address }, { coverage, tokens })
      for (const token of tokens) {
        unwritten.delete(token)
      }
    } catch (error) {
      logger.warn({ chain: chain.id, err: error }, 'failed to write tokens of a wallet')
    }
  }
}

/** The first block that each response searches: below are covered blocks, or many that are searched in the background. */
function findRecentStart(coverage: Coverage, startBlock: number, finalBlock: number): number {
  const [latest] = coverage
  return Math.max(
    startBlock,
    latest && isNear(coverage, finalBlock) ? latest.to + 1 : finalBlock + 1,
  )
}

/** Whether few final blocks follow the covered ones, so that each response searches them. */
function isNear([latest]: Coverage, finalBlock: number): boolean {
  return latest !== undefined && finalBlock - (latest.to + 1) < minFinalBlocks
}

function receivedBy(wallet: string): LogTopics {
  return [[topics.transfer, topics.erc20Transfer], null, [toTopic(wallet)]]
}

/** Also wrapped native assets that emit no transfer. */
function sentBy(wallet: string): LogTopics {
  return [[topics.transfer, topics.erc20Transfer, topics.deposit], [toTopic(wallet)]]
}

function toTopic(address: string): string {
  return `0x${address.slice(2).padStart(64, '0')}`
}

/** The contracts of logs, without those of NFTs, which have a fourth topic. */
function getTokens(logs: readonly TopicLog[]): string[] {
  return logs.filter((log) => log.topics.length < 4).map(({ address }) => address)
}
