import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import { createScope } from '../../indexing/decode/Scope.ts'
import { Semaphore } from '../../queues/Semaphore.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { Backoff } from '../../rpc/transport/Backoff.ts'
import type { Database } from '../../store/Database.ts'
import type { HeadTrail } from '../HeadTrail.ts'
import { auditHolders, type RunStep } from './auditHolders.ts'
import { foldTransfers, getHolderTopics, type HolderStandard } from './foldTransfers.ts'
import { type TokenKey } from './holderRows.ts'
import { RecentTransfers } from './RecentTransfers.ts'
import {
  advanceScan,
  claimScan,
  type HolderScan,
  insertScan,
  loadScan,
  markDoubtful,
  releaseScan,
} from './scanRows.ts'

/** Steps of searches in flight per chain, in turns of the tokens. Requests of clients are not limited by it. */
const maxSteps = 2
/** Tokens that are searched or wait for it. The next request of another one starts its search. */
const maxRunning = 100
/** So many new final blocks are searched together. Until then, they are fetched with the latest blocks. */
const minFinalBlocks = 32
/** With more of them, a response waits for the search. */
const maxFinalBlocks = 512
/** A response waits this long for the search, which is enough for short chains. */
const firstWaitMs = 1_000
/** A search ends after so many failures in a row. The next request of the token starts another one. */
const maxFailures = 5

interface Options {
  readonly chain: ChainConfig
  readonly node: Pick<ChainNode, 'getHead' | 'getHeader' | 'getContractLogs' | 'multicall'>
  /** Has the heads that holders are requested at. */
  readonly trail: Pick<HeadTrail, 'add' | 'extends'>
  readonly db: Kysely<Database>
  readonly logger: Pick<Logger, 'warn' | 'info'>
}

/**
 * Finds the holders of requested tokens by all logs of their contracts: in the background, once, oldest first. Final blocks
 * are summed in the store; those above, which a reorg may replace, are added in memory for each head.
 */
export class HolderScans {
  readonly recent: RecentTransfers
  readonly #options: Options
  readonly #scope: ReturnType<typeof createScope>
  readonly #steps = new Semaphore(maxSteps)
  readonly #ended = new AbortController()
  /** By token. */
  readonly #running = new Map<string, Promise<void>>()
  /** The head of the latest round of reads, of tokens with amounts from the chain. */
  readonly #readAt = new Map<string, number>()
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
    const { db, chain } = this.#options
    return await loadScan(db, { chainId: chain.id, token })
  }

  /** Adds a token, whose search starts with the next {@link HolderScans.update}. */
  async add(token: string, standard: HolderStandard): Promise<void> {
    const { db, chain } = this.#options
    const { startBlock, history } = chain
    const isIndexed = history !== 'node'
    await insertScan(db, { chainId: chain.id, token }, { standard, startBlock, isIndexed })
  }

  /**
   * Starts the search of a token unless it is complete, and waits up to a second for it if a response needs it.
   *
   * @returns how far the holders are known then; undefined if the token was deleted, as it is indexed.
   */
  async update(token: string, head: BlockRef): Promise<HolderScan | undefined> {
    const finalBlock = head.number - this.#options.chain.finalityDepth
    const scan = await this.load(token)
    if (!scan) {
      return undefined
    }
    const behind = finalBlock - scan.scannedBlock
    const isOutdated = scan.amountsFrom === 'chain' && (this.#readAt.get(token) ?? -1) < head.number
    if (!scan.isVerified || behind >= minFinalBlocks || isOutdated) {
      this.#start(token)
    }
    if (this.isComplete(scan, head) && !isOutdated) {
      return scan
    }
    await Promise.race([this.#running.get(token), delay(firstWaitMs, undefined, { ref: false })])
    return await this.load(token)
  }

  /** Whether the holders at a head can be determined without waiting for the search. */
  isComplete({ isVerified, scannedBlock }: HolderScan, head: BlockRef): boolean {
    const finalBlock = head.number - this.#options.chain.finalityDepth
    return isVerified && finalBlock - scannedBlock <= maxFinalBlocks
  }

  /** Compares all amounts of a token with the contract again, as one was wrong. */
  async verifyAgain(token: string): Promise<void> {
    const { db, chain } = this.#options
    this.recent.forget(token)
    const key = { chainId: chain.id, token }
    await markDoubtful(db, key)
    this.#start(token)
  }

  /** Ends all searches. What they found is written. */
  async close(): Promise<void> {
    this.#ended.abort()
    await Promise.all(this.#running.values())
  }

  #start(token: string): void {
    const { signal } = this.#ended
    if (this.#running.has(token) || this.#running.size >= maxRunning || signal.aborted) {
      return
    }
    const running = this.#search(token)
      // The only reason to reject is that it ends.
      .catch(() => {})
      .finally(() => this.#running.delete(token))
    this.#running.set(token, running)
  }

  async #search(token: string): Promise<void> {
    const { chain, db, logger } = this.#options
    const { signal } = this.#ended
    const key = { chainId: chain.id, token }
    const backoff = new Backoff()
    for (let failures = 0; failures < maxFailures && !signal.aborted; failures++) {
      try {
        await this.#advance(key).finally(() => releaseScan(db, key, this.#process))
        return
      } catch (error) {
        const log = () =>
          logger.warn({ chain: chain.id, token, err: error }, 'holder search failed')
        await backoff.failed(log, signal)
      }
    }
  }

  /** Searches up to the latest final block and verifies the amounts. */
  async #advance(key: TokenKey): Promise<void> {
    const { chain, db, node, trail, logger } = this.#options
    const { token } = key
    const runStep: RunStep = (step) => this.#runStep(key, step)
    const scan = await runStep((claimed) => Promise.resolve(claimed))
    if (!scan || !(await this.#searchBlocks(key, scan, runStep))) {
      return
    }
    if (scan.isVerified && scan.amountsFrom === 'ledger') {
      return
    }
    const { signal } = this.#ended
    const getHead = async () => {
      const head = await node.getHead(signal)
      trail.add(head)
      return head
    }
    const multicall: typeof node.multicall = (...call) => node.multicall(...call)
    const source = { getHead, multicall }
    const audit = { db, node: source, recent: this.recent, process: this.#process, runStep, signal }
    const audited = await auditHolders(audit, key)
    if (audited) {
      this.#readAt.set(token, audited.block)
      if (scan.amountsFrom !== audited.amountsFrom) {
        const reason = 'amounts differ from the transfers: they are read from the contract'
        logger.info({ chain: chain.id, token }, reason)
      }
    }
  }

  /** Takes turns with the searches of other tokens, so that large ones do not delay the others. */
  async #runStep<Result>(
    key: TokenKey,
    step: (scan: HolderScan) => Promise<Result>,
  ): Promise<Result | undefined> {
    return await this.#steps.run(async () => {
      const scan = await claimScan(this.#options.db, key, this.#process)
      return scan && (await step(scan))
    }, this.#ended.signal)
  }

  /** @returns whether all final blocks were searched; false if another process continues, or the token was deleted. */
  async #searchBlocks(
    key: TokenKey,
    { scannedBlock: start, standard }: HolderScan,
    runStep: RunStep,
  ): Promise<boolean> {
    const { chain, db, node } = this.#options
    const { signal } = this.#ended
    const startedAt = performance.now()
    const filter = { address: key.token, topics: getHolderTopics(this.#scope) }
    const fetch = (after: number, to: number) =>
      node.getContractLogs(filter, { from: after + 1, to }, { signal, priority: 'search' })
    let next: ReturnType<typeof fetch> | undefined
    const searchStep = async (from: number, targetBlock: number) => {
      const fetching = next ?? fetch(from, targetBlock)
      next = undefined
      const { logs, to } = await fetching
      if (to < targetBlock && this.#steps.pendingCount === 0) {
        // While these are written, unless it is the turn of another token.
        next = fetch(to, targetBlock)
        next.catch(() => {})
      }
      const share = (to - start) / (targetBlock - start)
      const secondsLeft = Math.ceil(((performance.now() - startedAt) / 1000) * (1 / share - 1))
      const changes = foldTransfers(logs, standard, this.#scope)
      const step = { process: this.#process, from, to, targetBlock, secondsLeft, changes }
      return (await advanceScan(db, key, step)) ? to : undefined
    }
    for (let from: number | undefined = start; ;) {
      const head = await node.getHead(signal)
      const targetBlock = head.number - chain.finalityDepth
      if (from >= targetBlock) {
        return true
      }
      while (from < targetBlock) {
        const after: number = from
        from = await runStep(() => searchStep(after, targetBlock))
        if (from === undefined) {
          return false
        }
      }
    }
  }
}
