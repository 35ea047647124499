import { hash } from 'node:crypto'
import type { NativeBalances } from '../../operations/NativeBalances.ts'
import { accountsPerCall } from '../../rpc/methods/aggregateBalances.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import { toChunks } from '../../toChunks.ts'
import { waitAtMost } from '../../waitAtMost.ts'

/** The native balance of a watched wallet. */
interface NativeBalance {
  /** Subscriptions to the wallet. */
  count: number
  /** Undefined while no node has returned it. */
  amount: bigint | undefined
}

/** Wallets that wait for their first read. */
interface AddedWallets {
  readonly wallets: Set<string>
  readonly done: PromiseWithResolvers<void>
}

interface WatchedChain {
  /** The ones that no node returned at the latest head are first. */
  readonly balances: Map<string, NativeBalance>
  /** The latest block, and the one at which all were begun to be read last. */
  head: BlockRef | undefined
  readAt: BlockRef | undefined
  added: AddedWallets | undefined
  isReading: boolean
  /** Reads all again, as nodes did not return each at the latest head. */
  retry: NodeJS.Timeout | undefined
}

const digestLength = 4
/** A client that subscribes waits for the first read of its wallets for this time at most, in milliseconds. */
const maxWaitMs = 1000
/** Without a further block, balances that no node returned are read again after this time, in milliseconds. */
const retryMs = 5000

/**
 * Receives the wallets with another balance than the known one.
 *
 * @param isFirst - whether none was known, so that subscriptions may have begun without it.
 */
type NativeListener = (
  chainId: number,
  wallets: readonly string[],
  block: BlockRef,
  isFirst: boolean,
) => void

/**
 * Compares the native balances of the wallets with subscriptions at each head, as they change without a log. One request per
 * chain runs at once: while all take longer than a block, blocks between are skipped.
 */
export class NativeWatch {
  readonly #natives: Pick<NativeBalances, 'read'>
  readonly #onChange: NativeListener
  readonly #chains = new Map<number, WatchedChain>()

  constructor(natives: Pick<NativeBalances, 'read'>, onChange: NativeListener) {
    this.#natives = natives
    this.#onChange = onChange
  }

  /**
   * Watches wallets; resolves once their balances were read, or no node returned them in time. Those are reported to the listener
   * once they are read.
   */
  async add(chainId: number, wallets: Iterable<string>, head: BlockRef | undefined): Promise<void> {
    const chain = this.#chains.get(chainId) ?? {
      balances: new Map<string, NativeBalance>(),
      head,
      readAt: head,
      added: undefined,
      isReading: false,
      retry: undefined,
    }
    this.#chains.set(chainId, chain)
    chain.head = head ?? chain.head
    const unknown: string[] = []
    for (const wallet of wallets) {
      const known = chain.balances.get(wallet) ?? { count: 0, amount: undefined }
      chain.balances.set(wallet, known)
      known.count++
      if (known.amount === undefined) {
        unknown.push(wallet)
      }
    }
    if (unknown.length === 0 || !chain.head) {
      return
    }
    const added = (chain.added ??= { wallets: new Set(), done: Promise.withResolvers() })
    unknown.forEach((wallet) => added.wallets.add(wallet))
    void this.#readUntilHead(chainId, chain)
    await waitAtMost(added.done.promise, maxWaitMs)
  }

  remove(chainId: number, wallets: Iterable<string>): void {
    const chain = this.#chains.get(chainId)
    if (!chain) {
      return
    }
    for (const wallet of wallets) {
      const balance = chain.balances.get(wallet)
      if (balance && --balance.count === 0) {
        chain.balances.delete(wallet)
      }
    }
    if (chain.balances.size === 0) {
      clearTimeout(chain.retry)
      this.#chains.delete(chainId)
    }
  }

  /** Reads the balances of a chain at its new head. */
  onHead(chainId: number, head: BlockRef): void {
    const chain = this.#chains.get(chainId)
    if (!chain) {
      return
    }
    chain.head = head
    void this.#readUntilHead(chainId, chain)
  }

  /** Hashes the known balance of a wallet to a few characters; empty while it is unknown. */
  digest(chainId: number, wallet: string): string {
    const amount = this.#chains.get(chainId)?.balances.get(wallet)?.amount
    return amount === undefined
      ? ''
      : hash('sha256', `${wallet}/${amount}`, 'base64url').slice(0, digestLength)
  }

  /** Reads what is due, unless that is being done. Until it returns, it also reads what becomes due meanwhile. */
  async #readUntilHead(chainId: number, chain: WatchedChain): Promise<void> {
    if (chain.isReading) {
      return
    }
    chain.isReading = true
    try {
      let pending: string[] = []
      for (;;) {
        const { added, head } = chain
        if (added) {
          // Clients wait for them.
          chain.added = undefined
          for (const chunk of toChunks([...added.wallets], accountsPerCall)) {
            if (!(await this.#readChunk(chainId, chain, chunk))) {
              this.#retryLater(chainId, chain)
            }
          }
          added.done.resolve()
        } else if (pending.length > 0) {
          const chunk = pending.splice(0, accountsPerCall)
          if (!(await this.#readChunk(chainId, chain, chunk))) {
            // The nodes read few of them at a head: the others come first at the next one, or after a time.
            pending = []
            this.#retryLater(chainId, chain)
          }
        } else if (head && head.hash !== chain.readAt?.hash && chain.balances.size > 0) {
          clearTimeout(chain.retry)
          chain.retry = undefined
          chain.readAt = head
          pending = [...chain.balances.keys()]
        } else {
          return
        }
      }
    } finally {
      // In the same step as the return: what is added later starts another read.
      chain.isReading = false
    }
  }

  #retryLater(chainId: number, chain: WatchedChain): void {
    if (chain.balances.size === 0) {
      // No wallet is watched any more.
      return
    }
    chain.retry ??= setTimeout(() => {
      chain.retry = undefined
      chain.readAt = undefined
      void this.#readUntilHead(chainId, chain)
    }, retryMs).unref()
  }

  /** @returns whether the nodes returned all of them. */
  async #readChunk(
    chainId: number,
    { head, balances }: WatchedChain,
    wallets: readonly string[],
  ): Promise<boolean> {
    const watched = wallets.filter((wallet) => balances.has(wallet))
    if (!head || watched.length === 0) {
      return true
    }
    const amounts = await this.#natives.read(chainId, watched, head)
    const isComplete = amounts.size === watched.length
    for (const wallet of isComplete ? [] : amounts.keys()) {
      const known = balances.get(wallet)
      if (known) {
        balances.delete(wallet)
        balances.set(wallet, known)
      }
    }
    // A balance is set with its report: the position of an event contains all that are set, and a client that resumes there
    // receives no others.
    for (const isFirst of [true, false]) {
      const reported: string[] = []
      for (const [wallet, amount] of amounts) {
        const known = balances.get(wallet)
        if (known && known.amount !== amount && (known.amount === undefined) === isFirst) {
          known.amount = amount
          reported.push(wallet)
        }
      }
      if (reported.length > 0) {
        this.#onChange(chainId, reported, head, isFirst)
      }
    }
    return isComplete
  }
}

/** Splits concatenated digests. */
export function splitDigests(digests: string): Set<string> {
  return new Set(digests.match(new RegExp(`.{${digestLength}}`, 'g')))
}
