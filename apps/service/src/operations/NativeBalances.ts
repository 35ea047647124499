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
/** With as many accounts of a chain in use, which need 16 calls, none is read in advance. */
export const maxAccounts = 20_000
/** Requests wait for a read of others for this time at most, and then read alone, in milliseconds. */
const maxWaitMs = 1000
/** One of the aggregated balances of a chain is read alone as well in this time, in milliseconds. */
const sampleIntervalMs = 10_000
/** The head that is published, and the one that will be. */
const keptHeads = 2

/** A head, and the balances that were read there on request. */
interface Head {
  readonly hash: string
  /** In smallest units, by account; a promise that resolves once it was read, or not in time. */
  readonly amounts: Map<string, bigint | Promise<unknown>>
  /** The read of the accounts that were in use, which resolves once it is done, or not in time. */
  reading: Promise<unknown> | undefined
}

/** The balance of an account at a head that was read in advance; undefined while it is read, and if no node returned it. */
interface HeadAmount {
  readonly head: Head
  amount: bigint | undefined
}

/** An account in use, and its balances. Those of thousands are set at each head, so that they are not entries of a map. */
interface UsedAccount {
  /** When it was requested last. */
  usedAt: number
  latest: HeadAmount | undefined
  before: HeadAmount | undefined
}

interface ChainBalances {
  /** By address. */
  readonly used: Map<string, UsedAccount>
  /** When the latest head was known. */
  headAt: number
  /** The latest last. */
  readonly heads: Head[]
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
    const known = used.get(account)
    if (known) {
      known.usedAt = performance.now()
    } else if (used.size < maxAccounts) {
      used.set(account, { usedAt: performance.now(), latest: undefined, before: undefined })
    }
    const head = heads.find(({ hash }) => hash === block.hash)
    if (!head) {
      return undefined
    }
    const amount = getAmount(head, account, known)
    if (amount !== undefined) {
      return amount
    }
    const inAdvance = known && findHeadAmount(known, head) && head.reading
    const onRequest = head.amounts.get(account) as Promise<unknown> | undefined
    const reading = inAdvance ?? onRequest ?? this.#readSoon(chainId, head, account, block)
    return reading.then(() => getAmount(head, account, known))
  }

  /**
   * Reads the balances of the accounts in use at a new head. While those at the head before are still read, it reads none. Never
   * rejects.
   */
  async onHead(chainId: number, block: BlockRef): Promise<void> {
    const chain = this.#getChain(chainId)
    const { heads, used } = chain
    if (heads.some(({ hash }) => hash === block.hash)) {
      // Another update of the same block.
      return
    }
    const head = createHead(block)
    heads.push(head)
    heads.splice(0, heads.length - keptHeads)
    const now = performance.now()
    const since = Math.min(chain.headAt, now - usedMs)
    chain.headAt = now
    for (const [account, { usedAt }] of used) {
      if (usedAt < since) {
        used.delete(account)
      }
    }
    if (chain.isReading || used.size === 0 || used.size >= maxAccounts) {
      return
    }
    chain.isReading = true
    const amounts: HeadAmount[] = []
    for (const account of used.values()) {
      const latest = { head, amount: undefined }
      account.before = account.latest
      account.latest = latest
      amounts.push(latest)
    }
    const accounts = [...used.keys()]
    const read = this.#readEach(chainId, accounts, block, maxSingleReads, (amount, index) => {
      const latest = amounts[index]
      if (latest) {
        latest.amount = amount
      }
    })
    head.reading = waitAtMost(read, maxWaitMs)
    await read
    head.reading = undefined
    chain.isReading = false
  }

  /** Reads the balance of an account together with those that are requested at the same time. */
  #readSoon(chainId: number, head: Head, account: string, block: BlockRef): Promise<unknown> {
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
    const { heads, used } = this.#getChain(chainId)
    // A block that is read late must not replace a later one.
    const head = heads.find(({ hash }) => hash === block.hash) ?? createHead(block)
    const find = (account: string) => getAmount(head, account, used.get(account))
    const unknown = accounts.filter((account) => find(account) === undefined)
    await this.#readEach(chainId, unknown, block, maxSingle, (amount, index) =>
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
    chainId: number,
    accounts: readonly string[],
    block: BlockRef,
    maxSingle: number,
    onAmount: (amount: bigint, index: number) => void,
  ): Promise<void> {
    const node = this.#nodes.get(chainId)
    const aggregated = await readAggregated(node, accounts, block, this.#getChain(chainId))
    const single: Promise<void>[] = []
    for (const [index, account] of accounts.entries()) {
      const amount = aggregated[index]
      if (amount !== undefined) {
        onAmount(amount, index)
      } else if (single.length < maxSingle) {
        single.push(
          readNativeAmount(node, account, block).then((alone) => {
            if (alone !== undefined) {
              onAmount(alone, index)
            }
          }),
        )
      }
    }
    await Promise.all(single)
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

function createHead({ hash }: BlockRef): Head {
  return { hash, amounts: new Map(), reading: undefined }
}

/** The balance at a head that was, or is being, read in advance. */
function findHeadAmount({ latest, before }: UsedAccount, head: Head): HeadAmount | undefined {
  return [latest, before].find((amount) => amount?.head === head)
}

/** The balance of an account that was read. */
function getAmount(
  head: Head,
  account: string,
  inUse: UsedAccount | undefined,
): bigint | undefined {
  const inAdvance = inUse && findHeadAmount(inUse, head)?.amount
  const amount = inAdvance ?? head.amounts.get(account)
  return typeof amount === 'bigint' ? amount : undefined
}

/** Lets requests of accounts wait for a read. */
function startReading(
  { amounts }: Head,
  accounts: readonly string[],
  read: Promise<unknown>,
): Promise<unknown> {
  const waiting = waitAtMost(read, maxWaitMs)
  for (const account of accounts) {
    if (amounts.get(account) === undefined) {
      amounts.set(account, waiting)
    }
  }
  void read.then(() => {
    for (const account of accounts) {
      // No node returned it.
      if (amounts.get(account) === waiting) {
        amounts.delete(account)
      }
    }
  })
  return waiting
}

/**
 * Reads balances together. Of those that are read alone, the nodes are requested a proof from time to time, so that a random one
 * of them is also read alone, as often.
 *
 * @returns in the order of the accounts, undefined for those of a call that failed. None if they are few, if no node aggregates
 *   them, or if that one differs.
 */
async function readAggregated(
  node: ChainSource | undefined,
  accounts: readonly string[],
  block: BlockRef,
  chain: Pick<ChainBalances, 'sampledAt'>,
): Promise<readonly (bigint | undefined)[]> {
  if (accounts.length <= maxSeparate) {
    return []
  }
  const amounts = await readNativeAmounts(node, accounts, block)
  if (performance.now() - chain.sampledAt < sampleIntervalMs) {
    return amounts
  }
  const read = accounts.flatMap((account, index) => {
    const amount = amounts[index]
    return amount === undefined ? [] : { account, amount }
  })
  const sample = read[Math.floor(Math.random() * read.length)]
  // A failure is not a difference.
  const alone =
    sample &&
    ((await readNativeAmount(node, sample.account, block)) ??
      (await readNativeAmount(node, sample.account, block)))
  if (alone === undefined || alone !== sample?.amount) {
    return []
  }
  chain.sampledAt = performance.now()
  return amounts
}
