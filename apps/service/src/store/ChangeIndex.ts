import type { BlockRange } from './BlockRange.ts'
import type { ChainUpdate } from './ChainWatch.ts'
import { DeltaLog, type LoggedDelta } from './DeltaLog.ts'

/** What a response depends on of one chain, beside its status. Addresses are lower case. */
export interface ChainDependencies {
  /** Accounts with balances or NFTs in the response. */
  readonly holders?: readonly string[]
  /** Contracts of which the response lists the balances. */
  readonly ledgers?: readonly string[]
  /** Contracts with metadata or sales in the response. */
  readonly contracts?: Iterable<string>
  /** Tokens with prices in the response, or with one as soon as they have a pool. */
  readonly prices?: Iterable<string>
}

/** Most addresses of a kind; above it the older half is removed, and earlier responses count as outdated. */
const maxAddresses = 200_000

/** The latest updates of addresses, in two generations: when one is full, it replaces the one before. */
export class LatestChanges {
  readonly #generationSize: number
  /** Sequences by address. */
  #newest = new Map<string, number>()
  #older = new Map<string, number>()
  /** The latest sequence of each generation. */
  #newestEnd = 0
  #olderEnd = 0
  #floor = 0

  constructor(limit = maxAddresses) {
    this.#generationSize = Math.ceil(limit / 2)
  }

  /** All addresses count as changed at this sequence. */
  get floor(): number {
    return this.#floor
  }

  add(addresses: Iterable<string>, sequence: number): void {
    for (const address of addresses) {
      if (this.#newest.size >= this.#generationSize && !this.#newest.has(address)) {
        this.#floor = Math.max(this.#floor, this.#olderEnd)
        this.#older = this.#newest
        this.#olderEnd = this.#newestEnd
        this.#newest = new Map()
      }
      this.#newest.set(address, sequence)
      this.#newestEnd = sequence
    }
  }

  addAll(sequence: number): void {
    this.#newest.clear()
    this.#older.clear()
    this.#floor = sequence
  }

  hasChanged(addresses: Iterable<string>, since: number): boolean {
    const older = this.#olderEnd > since ? this.#older : undefined
    for (const address of addresses) {
      const sequence = this.#newest.get(address) ?? older?.get(address) ?? 0
      if (this.#floor > since || sequence > since) {
        return true
      }
    }
    return false
  }
}

class ChainIndex {
  /** Everything counts as changed at this sequence. */
  #floor = 0
  readonly #holders: LatestChanges
  readonly #ledgers: LatestChanges
  readonly #contracts: LatestChanges
  readonly #prices: LatestChanges
  readonly deltas: DeltaLog

  constructor(limit: number | undefined) {
    this.#holders = new LatestChanges(limit)
    this.#ledgers = new LatestChanges(limit)
    this.#contracts = new LatestChanges(limit)
    this.#prices = new LatestChanges(limit)
    this.deltas = new DeltaLog(limit)
  }

  add({ sequence, changes = [], keys }: ChainUpdate, prices: ReadonlySet<string> | 'all'): void {
    if (!keys) {
      this.#floor = sequence
      this.deltas.clear(sequence)
      return
    }
    changes.forEach((change) => this.deltas.add(change, sequence))
    this.#holders.add(keys.holders, sequence)
    this.#ledgers.add(keys.ledgers, sequence)
    this.#contracts.add(keys.contracts, sequence)
    if (prices === 'all') {
      this.#prices.addAll(sequence)
    } else {
      this.#prices.add(prices, sequence)
    }
  }

  hasChanged(
    { holders = [], ledgers = [], contracts = [], prices = [] }: ChainDependencies,
    since: number,
  ): boolean {
    return (
      this.#floor > since ||
      this.#holders.hasChanged(holders, since) ||
      this.#ledgers.hasChanged(ledgers, since) ||
      this.#contracts.hasChanged(contracts, since) ||
      this.#prices.hasChanged(prices, since)
    )
  }
}

/** When each address of the chains was changed last, by the sequence of the state of its chain. */
export class ChangeIndex {
  readonly #chains = new Map<number, ChainIndex>()
  readonly #limit: number | undefined

  /** @param limit - the most addresses of each kind and chain, and changes of balances of each chain. */
  constructor(limit?: number) {
    this.#limit = limit
  }

  /** @param prices - the tokens with a changed price. */
  add(update: ChainUpdate, prices: ReadonlySet<string> | 'all'): void {
    const { chainId } = update
    const chain = this.#chains.get(chainId) ?? new ChainIndex(this.#limit)
    this.#chains.set(chainId, chain)
    chain.add(update, prices)
  }

  /** Whether something of a chain was changed after a state of it. */
  hasChanged(chainId: number, dependencies: ChainDependencies, since: number): boolean {
    return this.#chains.get(chainId)?.hasChanged(dependencies, since) ?? true
  }

  /** The changes of the ERC20 balances of a holder on a chain, see {@link DeltaLog.find}. */
  findDeltas(
    chainId: number,
    holder: string,
    since: number,
    range: BlockRange,
  ): readonly LoggedDelta[] | undefined {
    return this.#chains.get(chainId)?.deltas.find(holder, since, range)
  }
}
