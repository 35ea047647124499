import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { getOwnerFunctions } from '../indexing/decode/legacyCollections.ts'
import { Semaphore } from '../queues/Semaphore.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { LogBlocks } from '../rpc/methods/requestLogs.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import type { Database } from '../store/Database.ts'
import { addRange, type BlockRange, type Coverage, findGap, getShare } from './Coverage.ts'
import {
  addFindings,
  createFindings,
  type Findings,
  limitCollectibles,
  mergeFindings,
} from './Findings.ts'
import type { HeadTrail } from './HeadTrail.ts'
import { toWord, TransferReader } from './TransferReader.ts'
import { isIndexed, loadWalletRows, writeWalletRows } from './walletRows.ts'

/** What a wallet may hold at a block, as far as its transfers are known. */
export interface Discovered extends Findings {
  /** The block since which all transfers are known; undefined if the latest ones are not. */
  readonly knownSinceBlock: number | undefined
  /** The share of the chain's blocks that were searched, from 0 to 1. */
  readonly share: number
}

/** Wallets in memory. */
const maxWallets = 10_000
/** Tokens and NFTs of all wallets in memory. */
const maxFound = 2_000_000
/** Wallets with more are those of exchanges and contracts: the search of older blocks ends. */
const maxTokens = 5_000
/** More NFTs of a wallet are not kept. */
export const maxCollectibles = 10_000
/** Searches in flight per chain. Requests of clients are not limited by it. */
const maxSearches = 2
/** Wallets that are searched or wait for it. The next request of another one starts its search. */
const maxRunning = 1_000
/** A response waits this long for the search if many blocks are unknown, which is enough for short chains. */
const firstWaitMs = 1_000
/** A search that needs more steps pauses after the first one, so that the response that started it is not delayed. */
const maxFirstSteps = 16
const pauseMs = 2_000
/** Timeout of the whole search in the latest blocks, which each response waits for. */
const recentTimeoutMs = 5_000
/** So many new final blocks are searched together. Until then, each response searches them. */
const minFinalBlocks = 256
const writeIntervalMs = 1_000
/** A search ends after so many failures in a row. The next request of the wallet starts another one. */
const maxFailures = 5

interface Options {
  readonly chain: ChainConfig
  readonly node: Pick<ChainNode, 'getNewestLogs' | 'getBlockTimes'>
  readonly trail: Pick<HeadTrail, 'excludes' | 'checkLogs'>
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn'>
}

/** A wallet in memory. */
interface Wallet {
  readonly address: string
  readonly findings: Findings
  /** What was found since the last write. */
  unwritten: Findings
  /** The coverage that this process last loaded or wrote. Empty if the next write replaces what the store has. */
  stored: Coverage
  /** Final blocks. */
  coverage: Coverage
  /** Resolves when the search for its history pauses or ends; undefined while there is none. */
  searching: Promise<void> | undefined
  /** What was found in the blocks up to the head. */
  recent: RecentFindings | undefined
  /** What was last found there, which the wallet may hold still while no node returns the latest logs. */
  lastFound: Findings | undefined
  /** Whether the index has replaced the nodes, so that the search ends and nothing is stored. */
  isReplaced: boolean
}

interface RecentFindings {
  /** The head. */
  readonly hash: string
  /** The first block that is searched. */
  readonly from: number
  /** Undefined if no node returns them. */
  readonly found: Promise<Findings | undefined>
}

/**
 * Finds the tokens and NFTs that wallets may hold by the logs of their transfers: the newest first, in the background,
 * once. It searches the latest blocks for each response, unless the bloom filters of the blocks since the last one exclude the
 * wallet, and all blocks below, which are final, only once.
 *
 * It finds nothing that is held without a standard event, and no tokens with an indexed amount.
 */
export class WalletDiscovery {
  /** Selectors of functions that return an owner, by collection where it is not `ownerOf`. */
  readonly ownerFunctions: ReadonlyMap<string, string>
  readonly #options: Options
  readonly #transfers: TransferReader
  readonly #searches = new Semaphore(maxSearches)
  readonly #wallets = new LRUCache<string, Promise<Wallet>>({
    ...{ max: maxWallets, maxSize: maxFound },
  })
  readonly #ended = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(options: Options) {
    this.#options = options
    this.ownerFunctions = getOwnerFunctions(options.chain.legacyCollections)
    this.#transfers = new TransferReader(options.chain, options.node, options.trail)
  }

  /**
   * Finds what a wallet may hold at the head, and starts to search its history unless that is known.
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
    // The covered blocks may have changed since.
    const from = findRecentStart(state.coverage, startBlock, finalBlock)
    const recent = this.#searchRecent(state, from, head)
    const found = await recent.found
    if (!found && state.recent === recent) {
      state.recent = undefined
    }
    state.lastFound = found ?? state.lastFound
    const whole = { from: startBlock, to: head.number }
    const known = found
      ? addRange(state.coverage, { from: recent.from, to: head.number })
      : state.coverage
    const latest = known.find(({ to }) => to >= head.number)
    return {
      ...mergeFindings(state.findings, state.lastFound),
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
      ({ findings, coverage }): Wallet => ({
        ...{ address: wallet, findings, coverage, stored: coverage, unwritten: createFindings() },
        ...{ searching: undefined, recent: undefined, lastFound: undefined, isReplaced: false },
      }),
    )
    this.#wallets.set(wallet, loading, { size: 1 })
    loading.then(
      (state) => this.#resize(state, loading),
      () => this.#wallets.delete(wallet),
    )
    return await loading
  }

  /** Records how much memory a wallet takes, unless it was evicted. */
  #resize({ address, findings }: Wallet, loaded: Promise<Wallet>): void {
    if (this.#wallets.peek(address) === loaded) {
      const size = 1 + findings.tokens.size + findings.collectibles.size
      this.#wallets.set(address, loaded, { size })
    }
  }

  /** Searches the latest blocks, unless they are known to add nothing to those of an earlier head. */
  #searchRecent(wallet: Wallet, from: number, { number, hash }: BlockRef): RecentFindings {
    const { recent, address } = wallet
    if (recent && recent.from <= from) {
      if (this.#options.trail.excludes(recent.hash, hash, toWord(address))) {
        wallet.recent = { ...recent, hash }
        return wallet.recent
      }
    }
    wallet.recent = { hash, from, found: this.#findReceived(address, { from, to: number, hash }) }
    return wallet.recent
  }

  /** What a wallet received in the latest blocks; undefined if no node returns it. */
  async #findReceived(wallet: string, range: LogBlocks): Promise<Findings | undefined> {
    const findings = createFindings()
    const endsAt = performance.now() + recentTimeoutMs
    try {
      for (let { to, hash } = range; to >= range.from;) {
        const timeoutMs = endsAt - performance.now()
        if (timeoutMs <= 0) {
          return undefined
        }
        const found = await this.#transfers.read(
          wallet,
          'received',
          { from: range.from, to, hash },
          { timeoutMs, signal: this.#ended.signal },
        )
        addFindings(findings, found.findings)
        ;[to, hash] = [found.from - 1, undefined]
      }
      return findings
    } catch {
      // The error may reveal the URL of the node.
      return undefined
    }
  }

  /** Starts to search final blocks that are not covered, unless they are few or a search is in flight. */
  #search(wallet: Wallet, range: BlockRange): void {
    const gap = findNextGap(wallet, range)
    const isFew =
      gap?.to === range.to && wallet.coverage.length > 0 && gap.to - gap.from < minFinalBlocks
    const isNeeded = gap && !(isFew && !findNextGap(wallet, { ...range, to: gap.from - 1 }))
    const isPossible = this.#running.size < maxRunning && !this.#ended.signal.aborted
    if (wallet.searching || !isNeeded || !isPossible) {
      return
    }
    // A chain that was reset is of the nodes again.
    wallet.isReplaced = false
    const paused = Promise.withResolvers<void>()
    const ended = this.#searchAll(wallet, range, paused.resolve).finally(() => {
      wallet.searching = undefined
      this.#running.delete(ended)
    })
    wallet.searching = Promise.race([ended, paused.promise])
    this.#running.add(ended)
  }

  async #searchAll(wallet: Wallet, range: BlockRange, onPause: () => void): Promise<void> {
    const { chain, logger } = this.#options
    const { signal } = this.#ended
    const backoff = new Backoff()
    let writtenAt = performance.now()
    let failures = 0
    let isFirst = true
    for (;;) {
      const gap = findNextGap(wallet, range)
      if (!gap || wallet.isReplaced || failures === maxFailures || signal.aborted) {
        break
      }
      try {
        const { findings, from } = await this.#searches.run(
          () => this.#transfers.read(wallet.address, 'all', gap, { signal }),
          signal,
        )
        addFindings(wallet.findings, findings)
        addFindings(wallet.unwritten, findings)
        for (const key of limitCollectibles(wallet.findings, maxCollectibles)) {
          if (!wallet.unwritten.collectibles.delete(key)) {
            wallet.stored = []
          }
        }
        wallet.coverage = addRange(wallet.coverage, { from, to: gap.to })
        failures = 0
        backoff.succeeded()
        if (isFirst && from - range.from > maxFirstSteps * (gap.to - from + 1)) {
          onPause()
          await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {})
        }
        isFirst = false
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
  async #write(wallet: Wallet): Promise<void> {
    const { db, chain, logger } = this.#options
    const { address, coverage, findings, stored, unwritten } = wallet
    wallet.unwritten = createFindings()
    const loaded = this.#wallets.peek(address)
    if (loaded) {
      this.#resize(wallet, loaded)
    }
    try {
      wallet.isReplaced = await db.transaction().execute(async (transaction) => {
        // Waits for a reset.
        if ((await isIndexed(transaction, chain.id)) && chain.history !== 'node') {
          return true
        }
        const key = { chainId: chain.id, wallet: address }
        await writeWalletRows(transaction, key, { coverage, findings, unwritten, stored })
        return false
      })
      wallet.stored = wallet.isReplaced ? [] : coverage
    } catch (error) {
      addFindings(wallet.unwritten, unwritten)
      logger.warn({ chain: chain.id, err: error }, 'failed to write what a wallet may hold')
    }
  }
}

/** The newest blocks that are not covered. With many tokens, those below all covered ones are not searched. */
function findNextGap({ coverage, findings }: Wallet, range: BlockRange): BlockRange | undefined {
  const oldest = coverage.at(-1)
  const isFull = oldest && findings.tokens.size >= maxTokens
  return findGap(coverage, isFull ? { ...range, from: Math.max(range.from, oldest.from) } : range)
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
