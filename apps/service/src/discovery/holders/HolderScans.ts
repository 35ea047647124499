import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import { createScope } from '../../indexing/decode/Scope.ts'
import { FairQueue } from '../../queues/FairQueue.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { Backoff } from '../../rpc/transport/Backoff.ts'
import type { Database } from '../../store/Database.ts'
import { msPerHour, msPerMinute } from '../../time.ts'
import type { FinalBlock } from '../FinalBlock.ts'
import type { HeadTrail } from '../HeadTrail.ts'
import { SearchLimitError } from '../SearchLimitError.ts'
import { auditHolders, batchSize, confirmHolders, type RunStep } from './auditHolders.ts'
import type { HolderStandard } from './foldTransfers.ts'
import { type TokenKey } from './holderRows.ts'
import { RecentTransfers } from './RecentTransfers.ts'
import {
  claimScan,
  type HolderScan,
  insertScan,
  loadScan,
  markDoubtful,
  releaseScan,
  touchScan,
} from './scanRows.ts'
import { searchEarlierBlocks, searchLaterBlocks } from './searchBlocks.ts'

/** Steps of searches in flight per chain, in turns of the keys and tokens. Requests of clients are not limited by it. */
const maxSteps = 2
/** Tokens that are searched or wait for it. The next request of another one starts its search. */
const maxRunning = 200
/** New final blocks are searched once there are this many. Until then, they are fetched with the latest blocks. */
const minFinalBlocks = 32
/** With more of them, a response waits for the search. */
const maxFinalBlocks = 512
/** A response waits this long for the search, which is enough for short chains. */
const firstWaitMs = 1_000
/** Failures after which a search ends. The next request of the token continues it. */
const maxFailures = 5
/** After a round of reads that took longer, the next one waits for a multiple of its duration. */
const minPausedMs = 1_000
const roundPauses = 10
/** Before the first round. */
const firstRound: Round = { startedAt: -Infinity, endedAt: -Infinity, block: -1 }

/** A round that read the amounts of a token from its contract. */
interface Round {
  readonly startedAt: number
  readonly endedAt: number
  /** The block of the amounts. */
  readonly block: number
}

interface Options {
  readonly chain: ChainConfig
  readonly node: Pick<ChainNode, 'getHead' | 'getHeader' | 'getContractLogs' | 'multicall'>
  /** Has the heads that holders are requested at. */
  readonly trail: Pick<HeadTrail, 'add' | 'extends'>
  /** Blocks up to it are summed. */
  readonly finalBlock: Pick<FinalBlock, 'getNumber'>
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn' | 'info'>
}

/** The search of a token. */
interface Search {
  ended: Promise<void>
  /** The API key that requested it last. */
  readonly account: unknown
  requestedAt: number
}

/**
 * Finds the holders of requested tokens by all logs of their contracts: in the background, once, oldest first. Final blocks
 * are summed in the store; those above, which a reorg may replace, are added in memory for each head.
 *
 * API keys share the time of the searches. One that no client requests any more pauses.
 */
export class HolderScans {
  readonly recent: RecentTransfers
  readonly #options: Options
  readonly #scope: ReturnType<typeof createScope>
  readonly #steps = new FairQueue({ permits: maxSteps })
  readonly #ended = new AbortController()
  /** By token. */
  readonly #searches = new Map<string, Search>()
  /** The latest round of each token with amounts from the chain. */
  readonly #rounds = new Map<string, Round>()
  /** Identifies this process in the store. */
  readonly #process = randomUUID()

  constructor(options: Options) {
    this.#options = options
    // Requested tokens are not limited to the configured ones.
    this.#scope = { ...createScope(options.chain), tokens: undefined }
    this.recent = new RecentTransfers(options.node, this.#scope, options.trail)
  }

  /** How far the holders of a token are known; undefined if it was never requested. */
  async load(token: string): Promise<HolderScan | undefined> {
    return await loadScan(this.#options.db, this.#getKey(token))
  }

  /**
   * Adds a token, whose search starts with the next {@link HolderScans.update}.
   *
   * @param account - the API key that requests it.
   * @throws {SearchLimitError} when that has too many searches in progress.
   */
  async add(token: string, standard: HolderStandard, account: unknown): Promise<void> {
    const { db, chain } = this.#options
    const { startBlock, history } = chain
    this.#requireRoom(account)
    const isIndexed = history !== 'node'
    await insertScan(db, this.#getKey(token), { standard, startBlock, isIndexed })
  }

  /**
   * Starts the search of a token unless it is complete, and waits up to a second for it if a response needs it.
   *
   * @param account - the API key that requests it.
   * @returns how far the holders are known then; undefined if the token was deleted, as it is indexed.
   * @throws {SearchLimitError} when a search is needed, and the key has too many in progress.
   */
  async update(token: string, head: BlockRef, account: unknown): Promise<HolderScan | undefined> {
    const scan = await this.load(token)
    if (!scan) {
      return undefined
    }
    const search = this.#searches.get(token)
    if (search) {
      search.requestedAt = performance.now()
    }
    if (scan.requestedAt.getTime() < Date.now() - msPerHour) {
      await touchScan(this.#options.db, this.#getKey(token))
    }
    const isOutdated = scan.amountsFrom === 'chain' && this.#mayRead(token, head)
    const isComplete = this.isComplete(scan, head)
    if (isOutdated || !isComplete || this.#countBehind(scan, head) >= minFinalBlocks) {
      this.#start(token, account)
    }
    if (isComplete && !isOutdated) {
      return scan
    }
    const { ended } = this.#searches.get(token) ?? {}
    if (!ended && !isComplete) {
      this.#requireRoom(account)
    }
    await Promise.race([ended, delay(firstWaitMs, undefined, { ref: false })])
    return await this.load(token)
  }

  /** Whether the amounts of a token are to be read again: large tokens only take a share of the requests to the nodes. */
  #mayRead(token: string, { number }: BlockRef): boolean {
    const { startedAt, endedAt, block } = this.#rounds.get(token) ?? firstRound
    const tookMs = endedAt - startedAt
    const pauseMs = tookMs > minPausedMs ? roundPauses * tookMs : 0
    return block < number && performance.now() >= endedAt + pauseMs
  }

  /** Whether the holders at a head can be determined without waiting for the search. */
  isComplete(scan: HolderScan, head: BlockRef): boolean {
    return (
      scan.isVerified &&
      scan.startBlock <= this.#options.chain.startBlock &&
      this.#countBehind(scan, head) <= maxFinalBlocks
    )
  }

  /** Compares all amounts of a token with the contract again, as one was wrong. */
  async verifyAgain(token: string, account: unknown): Promise<void> {
    this.recent.forget(token)
    await markDoubtful(this.#options.db, this.#getKey(token))
    this.#start(token, account)
  }

  /** Ends all searches. What they found is written. */
  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all([...this.#searches.values()].map(({ ended }) => ended))
  }

  #getKey(token: string): TokenKey {
    return { chainId: this.#options.chain.id, token }
  }

  /** How many final blocks were not searched. */
  #countBehind({ scannedBlock }: HolderScan, head: BlockRef): number {
    return this.#options.finalBlock.getNumber(head.number) - scannedBlock
  }

  #hasRoom(account: unknown): boolean {
    const searches = [...this.#searches.values()]
    const { tokensPerKey } = this.#options.chain.searches
    return searches.filter((search) => search.account === account).length < tokensPerKey
  }

  #requireRoom(account: unknown): void {
    if (!this.#hasRoom(account)) {
      throw new SearchLimitError('tokensPerKey', this.#options.chain.searches.tokensPerKey)
    }
  }

  #start(token: string, account: unknown): void {
    const isFull = this.#searches.size >= maxRunning || !this.#hasRoom(account)
    if (this.#searches.has(token) || isFull || this.#ended.signal.aborted) {
      return
    }
    const search: Search = { ended: Promise.resolve(), account, requestedAt: performance.now() }
    this.#searches.set(token, search)
    search.ended = this.#search(token)
      // The only reason to reject is that it ends.
      .catch(() => {})
      .finally(() => this.#searches.delete(token))
  }

  async #search(token: string): Promise<void> {
    const { chain, db, logger } = this.#options
    const { signal } = this.#ended
    const key = this.#getKey(token)
    const backoff = new Backoff()
    for (let failures = 0; failures < maxFailures && !signal.aborted; failures++) {
      try {
        await this.#advance(key).finally(() => releaseScan(db, key, this.#process))
        return
      } catch (error) {
        const log = () =>
          logger.warn({ chain: chain.id, token, err: error }, 'holder search failed')
        await backoff.failed(error, log, signal)
      }
    }
  }

  /** Searches up to the latest final block and verifies the amounts. */
  async #advance(key: TokenKey): Promise<void> {
    const { chain, finalBlock, db, node, trail, logger } = this.#options
    const { token } = key
    const { signal } = this.#ended
    const runStep: RunStep = (step) => this.#runStep(key, step)
    const claim = () => runStep((claimed) => Promise.resolve(claimed))
    const before = await claim()
    const blocks = {
      key,
      db,
      node,
      signal,
      runStep,
      scope: this.#scope,
      process: this.#process,
      startBlock: chain.startBlock,
      finalBlock,
      isOtherWaiting: () => this.#steps.waitingCount > 0,
    }
    if (!before || !(await searchEarlierBlocks(blocks, before))) {
      return
    }
    const found = await searchLaterBlocks(blocks, before)
    const searched = found && (await claim())
    if (!searched || isVerifiedLedger(searched)) {
      return
    }
    const getHead = async () => {
      const head = await node.getHead(signal)
      trail.add(head)
      return head
    }
    const multicall: typeof node.multicall = (...call) => node.multicall(...call)
    const source = { getHead, multicall }
    const { recent } = this
    const audit = { key, db, node: source, recent, process: this.#process, runStep, signal }
    const isSameStart = before.startBlock === searched.startBlock
    const depositors = [...found.depositors]
    // Without any, a response found a difference meanwhile.
    const areFew = depositors.length > 0 && depositors.length <= batchSize
    if (isVerifiedLedger(before) && isSameStart && areFew) {
      // The amounts of all others were compared before.
      if (await confirmHolders(audit, depositors)) {
        return
      }
    }
    const startedAt = performance.now()
    const audited = await auditHolders(audit)
    if (audited) {
      this.#rounds.set(token, { startedAt, endedAt: performance.now(), block: audited.block })
      if (before.amountsFrom !== audited.amountsFrom) {
        const reason = 'amounts differ from the transfers: they are read from the contract'
        logger.info({ chain: chain.id, token }, reason)
      }
    }
  }

  /** Takes turns with the searches of other keys and tokens, so that large ones do not delay the others. */
  async #runStep<Result>(
    key: TokenKey,
    step: (scan: HolderScan) => Promise<Result>,
  ): Promise<Result | undefined> {
    const run = async () => {
      const { requestedAt = -Infinity } = this.#searches.get(key.token) ?? {}
      const pauseMs = this.#options.chain.searches.pauseAfterMinutes * msPerMinute
      if (performance.now() - requestedAt > pauseMs) {
        return undefined
      }
      const scan = await claimScan(this.#options.db, key, this.#process)
      return scan && (await step(scan))
    }
    return await this.#steps.run(this.#searches.get(key.token)?.account, run, this.#ended.signal)
  }
}

function isVerifiedLedger({ isVerified, amountsFrom }: HolderScan): boolean {
  return isVerified && amountsFrom === 'ledger'
}
