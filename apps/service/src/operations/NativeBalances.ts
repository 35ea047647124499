import { Batches } from '../queues/Batches.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import { waitAtMost } from '../waitAtMost.ts'
import {
  type ChainSource,
  maxSeparate,
  maxSingleReads,
  readNativeAmount,
  readNativeAmounts,
} from './readValues.ts'

/** An account is in use until the head after a request, and at least for this time, in milliseconds. */
const usedMs = 10_000
/**
 * Most accounts of a chain that are read at each head, by a few calls. Of more accounts in use, few are requested at each head,
 * so that balances are read when they are requested.
 */
export const maxAccounts = 2000
/** Requests wait for a read of others for this time at most, and then read alone, in milliseconds. */
const maxWaitMs = 1000
/** One of the aggregated balances of a chain is read alone as well in this time, in milliseconds. */
const sampleIntervalMs = 10_000
/** The head that is published, and the one that will be. */
const keptHeads = 2

/** The balances of accounts at a block, as far as they are known. */
interface HeadBalances {
  readonly hash: string
  /** In smallest units, by account. */
  readonly amounts: Map<string, bigint>
  /** What the requests of accounts that are being read wait for. */
  readonly reading: Map<string, Promise<unknown>>
}

interface ChainBalances {
  /** When each account was requested last. */
  readonly used: Map<string, number>
  /** When the latest head was known. */
  headAt: number
  /** The latest last. */
  readonly heads: HeadBalances[]
  isReading: boolean
  /** When an aggregated balance was found to equal the one that is read alone. */
  sampledAt: number
}

/**
 * Native balances at the latest heads of the chains. They change without a log, so that a response with one depends on every
 * block: those of the accounts that were requested lately are read together as soon as a block is known, so that the requests
 * that follow its publication wait for no node. Those of others are read together with what is requested at the same time.
 * Accounts that are not requested cost nothing.
 */
export class NativeBalances {
  readonly #nodes: ReadonlyMap<number, ChainSource>
  readonly #chains = new Map<number, ChainBalances>()
  readonly #batches = new Batches<string, unknown>()

  /** @param nodes - by chain id. */
  constructor(nodes: ReadonlyMap<number, ChainSource>) {
    this.#nodes = nodes
  }

  /**
   * Finds the balance of an account at a block, and marks the account as in use.
   *
   * @returns in smallest units. A promise while it is read together with others; undefined, also of the promise, if it has to be
   *   read alone.
   */
  find(
    chainId: number,
    account: string,
    block: BlockRef,
  ): bigint | Promise<bigint | undefined> | undefined {
    const { used, heads } = this.#getChain(chainId)
    if (used.size < maxAccounts || used.has(account)) {
      used.set(account, performance.now())
    }
    const head = heads.find(({ hash }) => hash === block.hash)
    const amount = head?.amounts.get(account)
    if (!head || amount !== undefined) {
      return amount
    }
    const reading = head.reading.get(account) ?? this.#readSoon(chainId, head, account, block)
    return reading.then(() => head.amounts.get(account))
  }

  /**
   * Reads the balances of the accounts in use at a new head. While those at the head before are still read, it reads none. Never
   * rejects.
   */
  async onHead(chainId: number, block: BlockRef): Promise<void> {
    const chain = this.#getChain(chainId)
    const { heads } = chain
    if (heads.some(({ hash }) => hash === block.hash)) {
      // Another update of the same block.
      return
    }
    const head: HeadBalances = { hash: block.hash, amounts: new Map(), reading: new Map() }
    heads.push(head)
    heads.splice(0, heads.length - keptHeads)
    const now = performance.now()
    const since = Math.min(chain.headAt, now - usedMs)
    chain.headAt = now
    for (const [account, usedAt] of chain.used) {
      if (usedAt < since) {
        chain.used.delete(account)
      }
    }
    if (chain.isReading || chain.used.size === 0 || chain.used.size >= maxAccounts) {
      return
    }
    chain.isReading = true
    const accounts = [...chain.used.keys()]
    const read = this.read(chainId, accounts, block)
    void startReading(head, accounts, read)
    await read
    chain.isReading = false
  }

  /** Reads the balance of an account together with those that are requested at the same time. */
  #readSoon(
    chainId: number,
    head: HeadBalances,
    account: string,
    block: BlockRef,
  ): Promise<unknown> {
    return this.#batches.run(`${chainId} ${block.hash}`, [account], async (requested) => {
      const accounts = [...new Set(requested)]
      await startReading(head, accounts, this.read(chainId, accounts, block, Infinity))
      return requested
    })
  }

  /**
   * Reads the balances of at most {@link maxAccounts} accounts at a block by few requests, those that are not known. Those at the
   * latest heads are kept. Never rejects.
   *
   * @param maxSingle - most balances that are read by a request each, where no node aggregates them.
   * @returns balances by account, without those that no node returned in time.
   */
  async read(
    chainId: number,
    accounts: readonly string[],
    block: BlockRef,
    maxSingle = maxSingleReads,
  ): Promise<Map<string, bigint>> {
    const chain = this.#getChain(chainId)
    const head = chain.heads.find(({ hash }) => hash === block.hash)
    // A block that is read late must not replace a later one.
    const amounts = head?.amounts ?? new Map<string, bigint>()
    const unknown = accounts.filter((account) => !amounts.has(account))
    const node = this.#nodes.get(chainId)
    const aggregated = await readAggregated(node, unknown, block, chain)
    aggregated.forEach((amount, account) => amounts.set(account, amount))
    const missing = unknown.filter((account) => !amounts.has(account)).slice(0, maxSingle)
    await Promise.all(
      missing.map(async (account) => {
        const amount = await readNativeAmount(node, account, block)
        if (amount !== undefined) {
          amounts.set(account, amount)
        }
      }),
    )
    return new Map(
      accounts.flatMap((account) => {
        const amount = amounts.get(account)
        return amount === undefined ? [] : [[account, amount] as const]
      }),
    )
  }

  #getChain(chainId: number): ChainBalances {
    let chain = this.#chains.get(chainId)
    if (!chain) {
      chain = {
        used: new Map(),
        headAt: performance.now(),
        heads: [],
        isReading: false,
        sampledAt: -Infinity,
      }
      this.#chains.set(chainId, chain)
    }
    return chain
  }
}

/** Lets requests of accounts wait for a read. */
function startReading(
  { reading }: HeadBalances,
  accounts: readonly string[],
  read: Promise<unknown>,
): Promise<unknown> {
  const waiting = waitAtMost(read, maxWaitMs)
  accounts.forEach((account) => reading.set(account, waiting))
  void read.then(() => accounts.forEach((account) => reading.delete(account)))
  return waiting
}

/**
 * Reads balances together. Of those that are read alone, the nodes are requested a proof from time to time, so that a random one
 * of them is also read alone, as often.
 *
 * @returns none if they are few, if no node aggregates them, or if that one differs.
 */
async function readAggregated(
  node: ChainSource | undefined,
  accounts: readonly string[],
  block: BlockRef,
  chain: Pick<ChainBalances, 'sampledAt'>,
): Promise<ReadonlyMap<string, bigint>> {
  if (accounts.length <= maxSeparate) {
    return new Map()
  }
  if (performance.now() - chain.sampledAt < sampleIntervalMs) {
    return await readNativeAmounts(node, accounts, block)
  }
  const sample = accounts[Math.floor(Math.random() * accounts.length)] ?? ''
  const [amounts, first] = await Promise.all([
    readNativeAmounts(node, accounts, block),
    readNativeAmount(node, sample, block),
  ])
  // A failure is not a difference.
  const alone = first ?? (await readNativeAmount(node, sample, block))
  if (alone === undefined || alone !== amounts.get(sample)) {
    return new Map()
  }
  chain.sampledAt = performance.now()
  return amounts
}
