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
/** With this many accounts of a chain in use, which need 16 calls, none is read in advance. */
export const maxAccounts = 20_000
/** Requests wait for a read of others for this time at most, and then read alone, in milliseconds. */
const maxWaitMs = 1000
/** How often one of the aggregated balances of a chain is also read alone, in milliseconds. */
const sampleIntervalMs = 10_000
/** The head that is published, and the one that will be. */
const keptHeads = 2

/**
 * Native balances at the latest heads of the chains. They change without a log, so that a response with one depends on every
 * block: those of the accounts that were requested lately are read together as soon as a block is known, so that the requests
 * that follow its publication wait for no node. Those of others are read together with what is requested at the same time.
 * Accounts that are not requested cost nothing.
 */
export class NativeBalances {
  readonly #nodes: ReadonlyMap<number, ChainSource>
  readonly #chains = new Map<number, ChainBalances>()

  /** @param nodes - by chain id. */
  constructor(nodes: ReadonlyMap<number, ChainSource>) {
    this.#nodes = nodes
  }

  /** See {@link ChainBalances.find}. */
  find(
    chainId: number,
    account: string,
    block: BlockRef,
  ): bigint | Promise<bigint | undefined> | undefined {
    return this.#of(chainId).find(account, block)
  }

  /** See {@link ChainBalances.onHead}. */
  async onHead(chainId: number, block: BlockRef): Promise<void> {
    await this.#of(chainId).onHead(block)
  }

  /** See {@link ChainBalances.read}. */
  async read(
    chainId: number,
    accounts: readonly string[],
    block: BlockRef,
  ): Promise<Map<string, bigint>> {
    return await this.#of(chainId).read(accounts, block)
  }

  #of(chainId: number): ChainBalances {
    let chain = this.#chains.get(chainId)
    if (!chain) {
      chain = new ChainBalances(this.#nodes.get(chainId))
      this.#chains.set(chainId, chain)
    }
    return chain
  }
}

/** A head, and the balances that were read there on request. */
interface Head {
  readonly hash: string
  /** In smallest units, by account. */
  readonly amounts: Map<string, bigint>
  /** The reads in flight, by account. Each resolves once it is done, or not in time. */
  readonly pending: Map<string, Promise<unknown>>
}

/** The balance of an account at a head that was read in advance; undefined while it is read, and if no node returned it. */
interface HeadAmount {
  readonly head: Head
  amount: bigint | undefined
}

/** An account in use, and its balances at the latest heads: fields, as those of thousands of accounts are set at each head. */
interface UsedAccount {
  /** When it was requested last. */
  usedAt: number
  latest: HeadAmount | undefined
  before: HeadAmount | undefined
}

/** The native balances of one chain. */
class ChainBalances {
  readonly #node: ChainSource | undefined
  /** By address. */
  readonly #used = new Map<string, UsedAccount>()
  /** The latest last. */
  readonly #heads: Head[] = []
  readonly #batches = new Batches<string, unknown>()
  /** When the latest head was known. */
  #headAt = performance.now()
  /** The read of the accounts that were in use at a head. */
  #inAdvance: { readonly head: Head; readonly done: Promise<unknown> } | undefined
  /** When an aggregated balance was found to equal the one that is read alone. */
  #sampledAt = -Infinity

  constructor(node: ChainSource | undefined) {
    this.#node = node
  }

  /**
   * Finds the balance of an account at a block, and marks the account as in use.
   *
   * @returns in smallest units. A promise while it is read together with others; undefined, also of the promise, if it has to be
   *   read alone.
   */
  find(account: string, block: BlockRef): bigint | Promise<bigint | undefined> | undefined {
    const used = this.#used.get(account)
    if (used) {
      used.usedAt = performance.now()
    } else if (this.#used.size < maxAccounts) {
      this.#used.set(account, { usedAt: performance.now(), latest: undefined, before: undefined })
    }
    const head = this.#findHead(block)
    if (!head) {
      return undefined
    }
    const amount = getAmount(head, account, used)
    if (amount !== undefined) {
      return amount
    }
    const isInAdvance = this.#inAdvance?.head === head && used && findHeadAmount(used, head)
    const reading = isInAdvance ? this.#inAdvance?.done : head.pending.get(account)
    return (reading ?? this.#readSoon(head, account, block)).then(() =>
      getAmount(head, account, used),
    )
  }

  /**
   * Reads the balances of the accounts in use at a new head. While those at the head before are still read, it reads none. Never
   * rejects.
   */
  async onHead(block: BlockRef): Promise<void> {
    if (this.#findHead(block)) {
      // Another update of the same block.
      return
    }
    const head = createHead(block)
    this.#heads.push(head)
    this.#heads.splice(0, this.#heads.length - keptHeads)
    this.#removeUnused()
    const { size } = this.#used
    if (this.#inAdvance || size === 0 || size >= maxAccounts) {
      return
    }
    const read = this.#readInAdvance(head, block)
    this.#inAdvance = { head, done: waitAtMost(read, maxWaitMs) }
    await read
    this.#inAdvance = undefined
  }

  #removeUnused(): void {
    const now = performance.now()
    const since = Math.min(this.#headAt, now - usedMs)
    this.#headAt = now
    for (const [account, { usedAt }] of this.#used) {
      if (usedAt < since) {
        this.#used.delete(account)
      }
    }
  }

  async #readInAdvance(head: Head, block: BlockRef): Promise<void> {
    const amounts: HeadAmount[] = []
    for (const account of this.#used.values()) {
      const latest = { head, amount: undefined }
      account.before = account.latest
      account.latest = latest
      amounts.push(latest)
    }
    await this.#readEach([...this.#used.keys()], block, maxSingleReads, (amount, index) => {
      const latest = amounts[index]
      if (latest) {
        latest.amount = amount
      }
    })
  }

  /** Reads the balance of an account together with those that are requested at the same time. */
  #readSoon(head: Head, account: string, block: BlockRef): Promise<unknown> {
    return this.#batches.run(block.hash, [account], async (requested) => {
      const accounts = new Set(requested)
      const read = this.read([...accounts], block, Infinity)
      const done = waitAtMost(read, maxWaitMs)
      accounts.forEach((each) => head.pending.set(each, done))
      void read.then(() => accounts.forEach((each) => head.pending.delete(each)))
      await done
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
    accounts: readonly string[],
    block: BlockRef,
    maxSingle = maxSingleReads,
  ): Promise<Map<string, bigint>> {
    // A block that is read late must not replace a later one.
    const head = this.#findHead(block) ?? createHead(block)
    const find = (account: string) => getAmount(head, account, this.#used.get(account))
    const unknown = accounts.filter((account) => find(account) === undefined)
    await this.#readEach(unknown, block, maxSingle, (amount, index) =>
      head.amounts.set(unknown[index] ?? '', amount),
    )
    const amounts = new Map<string, bigint>()
    for (const account of accounts) {
      const amount = find(account)
      if (amount !== undefined) {
        amounts.set(account, amount)
      }
    }
    return amounts
  }

  /** Reads balances together, and those that no call returned alone. */
  async #readEach(
    accounts: readonly string[],
    block: BlockRef,
    maxSingle: number,
    onAmount: (amount: bigint, index: number) => void,
  ): Promise<void> {
    const aggregated = await this.#readAggregated(accounts, block)
    const single: Promise<void>[] = []
    for (const [index, account] of accounts.entries()) {
      const amount = aggregated[index]
      if (amount !== undefined) {
        onAmount(amount, index)
      } else if (single.length < maxSingle) {
        single.push(
          readNativeAmount(this.#node, account, block).then((alone) => {
            if (alone !== undefined) {
              onAmount(alone, index)
            }
          }),
        )
      }
    }
    await Promise.all(single)
  }

  /**
   * Reads balances together.
   *
   * @returns in the order of the accounts, undefined for those of a call that failed. None if they are few, if no node aggregates
   *   them, or if one of them differs from the one that is read alone.
   */
  async #readAggregated(
    accounts: readonly string[],
    block: BlockRef,
  ): Promise<readonly (bigint | undefined)[]> {
    if (accounts.length <= maxSeparate) {
      return []
    }
    const amounts = await readNativeAmounts(this.#node, accounts, block)
    if (performance.now() - this.#sampledAt < sampleIntervalMs) {
      return amounts
    }
    // Of balances that are read alone, the nodes are requested a proof from time to time: so is a random one of these, as often.
    const read = accounts.flatMap((account, index) => {
      const amount = amounts[index]
      return amount === undefined ? [] : { account, amount }
    })
    const sample = read[Math.floor(Math.random() * read.length)]
    if (!sample) {
      return []
    }
    const readAlone = () => readNativeAmount(this.#node, sample.account, block)
    // A failure is not a difference.
    if (sample.amount !== ((await readAlone()) ?? (await readAlone()))) {
      return []
    }
    this.#sampledAt = performance.now()
    return amounts
  }

  #findHead({ hash }: BlockRef): Head | undefined {
    return this.#heads.find((head) => head.hash === hash)
  }
}

function createHead({ hash }: BlockRef): Head {
  return { hash, amounts: new Map(), pending: new Map() }
}

/** The balance at a head that was, or is being, read in advance. */
function findHeadAmount({ latest, before }: UsedAccount, head: Head): HeadAmount | undefined {
  return [latest, before].find((amount) => amount?.head === head)
}

/** The balance of an account that was read. */
function getAmount(head: Head, account: string, used: UsedAccount | undefined): bigint | undefined {
  return (used && findHeadAmount(used, head)?.amount) ?? head.amounts.get(account)
}
