import { hash } from 'node:crypto'
import type { ChainReader } from '../../operations/ChainReader.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'

/** The native balance of a watched wallet. */
interface NativeBalance {
  /** Subscriptions to the wallet. */
  count: number
  /** Undefined while no node has returned it. */
  amount: bigint | undefined
  /** Whether subscriptions began without it, so that it may have changed since. */
  isMissed: boolean
}

interface WatchedChain {
  readonly balances: Map<string, NativeBalance>
  /** The latest block, and the one that was read last. */
  head: BlockRef | undefined
  readAt: BlockRef | undefined
  reading: Promise<void> | undefined
}

const digestLength = 4

/**
 * Compares the native balances of the wallets with subscriptions at each head, as they change without a log. One read per
 * chain runs at once: while it takes longer than a block, blocks between are skipped.
 */
export class NativeWatch {
  readonly #reader: Pick<ChainReader, 'nativeAmounts'>
  readonly #onChange: (chainId: number, wallets: readonly string[], block: BlockRef) => void
  readonly #chains = new Map<number, WatchedChain>()

  /** @param onChange - receives the wallets with another balance than at the block before. */
  constructor(
    reader: Pick<ChainReader, 'nativeAmounts'>,
    onChange: (chainId: number, wallets: readonly string[], block: BlockRef) => void,
  ) {
    this.#reader = reader
    this.#onChange = onChange
  }

  /** Watches wallets; resolves once their balances were read, or no node returned them. */
  async add(chainId: number, wallets: Iterable<string>, head: BlockRef | undefined): Promise<void> {
    const chain = this.#chains.get(chainId) ?? {
      balances: new Map<string, NativeBalance>(),
      ...{ head, readAt: undefined, reading: undefined },
    }
    this.#chains.set(chainId, chain)
    chain.head = head ?? chain.head
    const added: string[] = []
    for (const wallet of wallets) {
      const known = chain.balances.get(wallet) ?? { count: 0, amount: undefined, isMissed: false }
      chain.balances.set(wallet, known)
      known.count++
      if (known.amount === undefined) {
        added.push(wallet)
      }
    }
    if (added.length === 0 || !chain.head) {
      return
    }
    const read = chain.head
    const amounts = await this.#reader.nativeAmounts(chainId, added, read)
    for (const wallet of added) {
      const known = chain.balances.get(wallet)
      if (known) {
        known.amount ??= amounts.get(wallet)
        known.isMissed ||= known.amount === undefined
      }
    }
    if (chain.head !== read) {
      // They were not part of the read at that head.
      chain.readAt = undefined
      this.onHead(chainId, chain.head)
    }
  }

  remove(chainId: number, wallets: Iterable<string>): void {
    const chain = this.#chains.get(chainId)
    for (const wallet of chain ? wallets : []) {
      const balance = chain?.balances.get(wallet)
      if (balance && --balance.count === 0) {
        chain?.balances.delete(wallet)
      }
    }
    if (chain?.balances.size === 0) {
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
    chain.reading ??= this.#readUntilHead(chainId, chain).finally(() => {
      chain.reading = undefined
    })
  }

  /** Hashes the known balance of a wallet to a few characters; empty while it is unknown. */
  digest(chainId: number, wallet: string): string {
    const amount = this.#chains.get(chainId)?.balances.get(wallet)?.amount
    return amount === undefined
      ? ''
      : hash('sha256', `${wallet}/${amount}`, 'base64url').slice(0, digestLength)
  }

  async #readUntilHead(chainId: number, chain: WatchedChain): Promise<void> {
    while (chain.head && chain.head.hash !== chain.readAt?.hash && chain.balances.size > 0) {
      const { head, balances } = chain
      const amounts = await this.#reader.nativeAmounts(chainId, [...balances.keys()], head)
      chain.readAt = head
      const changed: string[] = []
      for (const [wallet, amount] of amounts) {
        const known = balances.get(wallet)
        if (!known || known.amount === amount) {
          continue
        }
        if (known.amount !== undefined || known.isMissed) {
          changed.push(wallet)
        }
        known.amount = amount
        known.isMissed = false
      }
      if (changed.length > 0) {
        this.#onChange(chainId, changed, head)
      }
    }
  }
}

/** Splits concatenated digests. */
export function splitDigests(digests: string): Set<string> {
  return new Set(digests.match(new RegExp(`.{${digestLength}}`, 'g')))
}
