import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { FairQueue } from '../queues/FairQueue.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import { LogRanges } from '../rpc/transport/LogRange.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { isResultLimit } from '../rpc/transport/nodeMessages.ts'
import { msPerMinute } from '../time.ts'
import { addRange, type BlockRange } from './Coverage.ts'
import { addFindings, limitCollectibles, maxCollectibles } from './Findings.ts'
import { SearchLimitError } from './SearchLimitError.ts'
import type { SeenTokens } from './SeenTokens.ts'
import type { TransferReader } from './TransferReader.ts'
import { findNextGap, needsSearch, type Wallet, type WalletSearch } from './Wallet.ts'
import type { WalletStore } from './WalletStore.ts'

/** Steps of searches in flight per chain, in turns of the keys. Requests of clients are not limited by it. */
const maxSteps = 2
/** Wallets that are searched or wait for it. The next request of another one starts its search. */
const maxRunning = 2_000
/** A search that needs more steps pauses after the first one, so that the response that started it is not delayed. */
const maxFirstSteps = 16
const firstPauseMs = 2_000
const exchangeIntervalMs = 1_000
/** After a process was killed, another one continues its search within this time. */
const claimSeconds = 30
/** Failures after which a block of which no node returned all logs is skipped. */
const maxBlockFailures = 2
/** The most blocks of a wallet that are skipped. */
const maxSkipped = 20
/** Failures in a row after which a search ends. The next request of the wallet starts another one. */
const maxFailures = 5

interface Options {
  readonly chain: Pick<ChainConfig, 'id' | 'searches'>
  readonly store: Pick<WalletStore, 'exchange'>
  readonly transfers: Pick<TransferReader, 'read'>
  readonly seen: Pick<SeenTokens, 'add'>
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Searches the final blocks for transfers of wallets: in the background, the newest first, each block once. API keys share
 * the time of the searches. One of a wallet that no client requests any more pauses.
 */
export class WalletSearches {
  readonly #options: Options
  readonly #steps = new FairQueue({ permits: maxSteps })
  readonly #ended = new AbortController()
  readonly #running = new Map<WalletSearch, Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Aborts when it is closed. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /**
   * Starts to search the blocks of a range that are not covered, unless they are few or a search is in progress.
   *
   * @param account - the API key that requests the wallet.
   * @throws {SearchLimitError} when nothing is known of the wallet, and the key has too many searches in progress.
   */
  update(wallet: Wallet, range: BlockRange, account: unknown): void {
    if (wallet.search) {
      wallet.search.requestedAt = performance.now()
      return
    }
    if (!needsSearch(wallet, range) || this.signal.aborted) {
      return
    }
    const { walletsPerKey } = this.#options.chain.searches
    const ofKey = [...this.#running.keys()].filter((search) => search.account === account)
    if (ofKey.length >= walletsPerKey && wallet.coverage.length === 0) {
      throw new SearchLimitError('walletsPerKey', walletsPerKey)
    }
    if (ofKey.length < walletsPerKey && this.#running.size < maxRunning) {
      this.#start(wallet, range, account)
    }
  }

  /** Ends all searches. What they found is written. */
  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#running.values())
  }

  #start(wallet: Wallet, range: BlockRange, account: unknown): void {
    // A chain that was reset is of the nodes again.
    wallet.isReplaced = false
    const paused = Promise.withResolvers<void>()
    const search = {
      firstSteps: paused.promise,
      account,
      requestedAt: performance.now(),
      ranges: new LogRanges(),
    }
    wallet.search = search
    const ended = this.#search(wallet, search, range, paused.resolve).finally(() => {
      wallet.search = undefined
      this.#running.delete(search)
    })
    search.firstSteps = Promise.race([ended, paused.promise])
    this.#running.set(search, ended)
  }

  async #search(
    wallet: Wallet,
    search: WalletSearch,
    range: BlockRange,
    onPause: () => void,
  ): Promise<void> {
    const { chain, store, logger } = this.#options
    const { signal } = this
    const backoff = new Backoff()
    const pause = async (milliseconds: number) => {
      onPause()
      await delay(milliseconds, undefined, { signal, ref: false }).catch(() => {})
    }
    let exchangedAt = -Infinity
    let isClaimed = false
    let failures = 0
    let isFirst = true
    for (;;) {
      const gap = findNextGap(wallet, range)
      if (!gap || wallet.isReplaced || failures === maxFailures || this.#isIdle(search)) {
        break
      }
      if (performance.now() - exchangedAt > exchangeIntervalMs) {
        isClaimed = await store.exchange(wallet, claimSeconds)
        exchangedAt = performance.now()
        continue
      }
      if (!isClaimed) {
        // Another process searches it, whose findings the next exchange loads.
        await pause(exchangeIntervalMs)
        continue
      }
      try {
        const step = () => this.#searchStep(wallet, gap, search)
        const from = await this.#steps.run(search.account, step, signal)
        failures = 0
        backoff.succeeded()
        if (isFirst && from - range.from > maxFirstSteps * (gap.to - from + 1)) {
          await pause(firstPauseMs)
        }
        isFirst = false
      } catch (error) {
        failures++
        if (failures === maxBlockFailures && this.#skipBlock(wallet, gap.to, error)) {
          failures = 0
          continue
        }
        const details = { chain: chain.id, wallet: wallet.address, ...gap, err: error }
        const log = () => logger.warn(details, 'wallet search failed')
        await backoff.failed(error, log, signal)
      }
    }
    await store.exchange(wallet, 0)
  }

  /** @returns the first block that was searched. */
  async #searchStep(wallet: Wallet, gap: BlockRange, { ranges }: WalletSearch): Promise<number> {
    const { signal } = this
    const { findings, from } = await this.#options.transfers.read(wallet.address, 'all', gap, {
      signal,
      ranges,
    })
    this.#options.seen.add(
      [...findings.tokens].filter((token) => !wallet.findings.tokens.has(token)),
    )
    addFindings(wallet.findings, findings)
    addFindings(wallet.unwritten, findings)
    for (const key of limitCollectibles(wallet.findings, maxCollectibles)) {
      if (!wallet.unwritten.collectibles.delete(key)) {
        wallet.stored = []
      }
    }
    wallet.coverage = addRange(wallet.coverage, { from, to: gap.to })
    return from
  }

  /** @returns false if the search failed for another reason, or too many blocks are skipped. */
  #skipBlock(wallet: Wallet, block: number, error: unknown): boolean {
    if (!isTooDense(error) || wallet.skipped.length >= maxSkipped) {
      return false
    }
    wallet.skipped = addRange(wallet.skipped, { from: block, to: block })
    this.#options.logger.warn(
      { chain: this.#options.chain.id, wallet: wallet.address, block, err: error },
      'skipped a block of a wallet: no node returned all logs',
    )
    return true
  }

  /** Whether it is to end before all blocks are searched. */
  #isIdle({ requestedAt }: WalletSearch): boolean {
    const pauseMs = this.#options.chain.searches.pauseAfterMinutes * msPerMinute
    return this.signal.aborted || performance.now() - requestedAt > pauseMs
  }
}

/** Whether a single block has too many logs, as ranges of several blocks are searched in parts. */
function isTooDense(error: unknown): boolean {
  return error instanceof NodeError && error.kind === 'rejected' && isResultLimit(error.message)
}
