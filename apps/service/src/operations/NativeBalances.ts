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
/** The head that is published, and the one that will be. */
const keptHeads = 2

/** The balances of accounts at a block, as far as they are known. */
interface HeadBalances {
  readonly hash: string
  /** In smallest units, by account. */
  readonly amounts: Map<string, bigint>
  /** The accounts in use that are being read, and what their requests wait for. */
  reading: { readonly accounts: ReadonlySet<string>; readonly done: Promise<unknown> } | undefined
}

interface ChainBalances {
  /** When each account was requested last. */
  readonly used: Map<string, number>
  /** When the latest head was known. */
  headAt: number
  /** The latest last. */
  readonly heads: HeadBalances[]
  isReading: boolean
}

/**
 * Native balances at the latest heads of the chains. They change without a log, so that a response with one depends on every
 * block: those of the accounts that were requested lately are read together as soon as a block is known, so that the requests
 * that follow its publication wait for no node. Accounts that are not requested cost nothing.
 */
export class NativeBalances {
  readonly #nodes: ReadonlyMap<number, ChainSource>
  readonly #chains = new Map<number, ChainBalances>()

  /** @param nodes - by chain id. */
  constructor(nodes: ReadonlyMap<number, ChainSource>) {
    this.#nodes = nodes
  }

  /**
   * Finds the balance of an account at a block, and marks the account as in use.
   *
   * @returns in smallest units. A promise while it is read together with others; undefined if it has to be read alone.
   */
  find(
    chainId: number,
    account: string,
    { hash }: BlockRef,
  ): bigint | Promise<bigint | undefined> | undefined {
    const { used, heads } = this.#getChain(chainId)
    if (used.size < maxAccounts || used.has(account)) {
      used.set(account, performance.now())
    }
    const head = heads.find((each) => each.hash === hash)
    const amount = head?.amounts.get(account)
    return amount === undefined && head?.reading?.accounts.has(account)
      ? head.reading.done.then(() => head.amounts.get(account))
      : amount
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
    const head: HeadBalances = { hash: block.hash, amounts: new Map(), reading: undefined }
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
    const accounts = new Set(chain.used.keys())
    const read = this.read(chainId, [...accounts], block)
    head.reading = { accounts, done: waitAtMost(read, maxWaitMs) }
    await read
    head.reading = undefined
    chain.isReading = false
  }

  /**
   * Reads the balances of at most {@link maxAccounts} accounts at a block by few requests, those that are not known. Where no
   * node aggregates them, only the first {@link maxSingleReads} are read. Those at the latest heads are kept. Never rejects.
   *
   * @returns balances by account, without those that no node returned in time.
   */
  async read(
    chainId: number,
    accounts: readonly string[],
    block: BlockRef,
  ): Promise<Map<string, bigint>> {
    const head = this.#getChain(chainId).heads.find(({ hash }) => hash === block.hash)
    // A block that is read late must not replace a later one.
    const amounts = head?.amounts ?? new Map<string, bigint>()
    const unknown = accounts.filter((account) => !amounts.has(account))
    const node = this.#nodes.get(chainId)
    const aggregated = await readAggregated(node, unknown, block)
    aggregated.forEach((amount, account) => amounts.set(account, amount))
    const missing = unknown.filter((account) => !amounts.has(account)).slice(0, maxSingleReads)
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
      chain = { used: new Map(), headAt: performance.now(), heads: [], isReading: false }
      this.#chains.set(chainId, chain)
    }
    return chain
  }
}

/**
 * Reads balances together, and a random one of them also alone, of which the nodes are requested a proof from time to time.
 *
 * @returns none if they are few, if no node aggregates them, or if that one differs.
 */
async function readAggregated(
  node: ChainSource | undefined,
  accounts: readonly string[],
  block: BlockRef,
): Promise<ReadonlyMap<string, bigint>> {
  if (accounts.length <= maxSeparate) {
    return new Map()
  }
  const sample = accounts[Math.floor(Math.random() * accounts.length)] ?? ''
  const [amounts, first] = await Promise.all([
    readNativeAmounts(node, accounts, block),
    readNativeAmount(node, sample, block),
  ])
  // A failure is not a difference.
  const alone = first ?? (await readNativeAmount(node, sample, block))
  return alone !== undefined && alone === amounts.get(sample) ? amounts : new Map()
}
