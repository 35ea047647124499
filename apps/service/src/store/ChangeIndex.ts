import type { BlockRange } from './BlockRange.ts'
import type { ChainUpdate } from './ChainWatch.ts'
import { addHashes, type AddressHashes, ChangeTable, hashAddresses } from './ChangeTable.ts'
import { DeltaLog, type LoggedDelta } from './DeltaLog.ts'

/** What a response depends on of one chain, beside its status. Addresses are lower case. */
export interface ChainDependencies {
  /** Accounts with balances or NFTs in the response. */
  readonly holders?: readonly string[]
  /** Contracts of which the response lists the balances. */
  readonly ledgers?: readonly string[]
  /** Contracts with metadata or sales in the response. */
  readonly contracts?: Iterable<string>
  readonly prices?: readonly TokenHashes[]
}

/** Most addresses of a kind and chain by default. */
const defaultLimit = 200_000
/** Number of fields of {@link ChainDependencies}, and the index of its prices. */
const kindCount = 4
const priceKind = 3

/**
 * The hashes of tokens with prices in a response, or with one as soon as they have a pool. Each token is hashed once, also if
 * many responses depend on it, as the pages of a large wallet do.
 */
export class TokenHashes {
  readonly #tokens = new Set<string>()
  readonly #hashes: number[] = []

  get hashes(): AddressHashes {
    return this.#hashes
  }

  add(token: string): void {
    if (!this.#tokens.has(token)) {
      this.#tokens.add(token)
      addHashes(this.#hashes, token, priceKind)
    }
  }
}

/** What a response depends on of one chain, as it is looked up. */
export interface HashedDependencies {
  readonly hashes: readonly AddressHashes[]
  readonly hasPrices: boolean
}

/** Hashes dependencies by chain id. */
export function hashDependencies(
  dependencies: ReadonlyMap<number, ChainDependencies>,
): Map<number, HashedDependencies> {
  const hashed = new Map<number, HashedDependencies>()
  for (const [chainId, ofChain] of dependencies) {
    hashed.set(chainId, hashOfChain(ofChain))
  }
  return hashed
}

function hashOfChain({
  holders = [],
  ledgers = [],
  contracts = [],
  prices,
}: ChainDependencies): HashedDependencies {
  const ofPrices = prices?.map((tokens) => tokens.hashes) ?? []
  return {
    hashes: [hashAddresses([holders, ledgers, contracts]), ...ofPrices],
    hasPrices: prices !== undefined,
  }
}

class ChainIndex {
  /** Everything counts as changed at this sequence. */
  #floor = 0
  /** All prices count as changed at this sequence. */
  #priceFloor = 0
  readonly #table: ChangeTable
  readonly deltas: DeltaLog

  constructor(limit: number) {
    this.#table = new ChangeTable(kindCount * limit)
    this.deltas = new DeltaLog(limit)
  }

  add({ sequence, changes = [], keys }: ChainUpdate, prices: ReadonlySet<string> | 'all'): void {
    if (!keys) {
      this.#floor = sequence
      this.deltas.clear(sequence)
      return
    }
    changes.forEach((change) => this.deltas.add(change, sequence))
    const { holders, ledgers, contracts } = keys
    const ofPrices = prices === 'all' ? [] : prices
    this.#table.add(hashAddresses([holders, ledgers, contracts, ofPrices]), sequence)
    if (prices === 'all') {
      this.#priceFloor = sequence
    }
  }

  hasChanged(dependencies: HashedDependencies | undefined, since: number): boolean {
    return (
      this.#floor > since ||
      (dependencies !== undefined &&
        ((dependencies.hasPrices && this.#priceFloor > since) ||
          dependencies.hashes.some((hashes) => this.#table.hasChanged(hashes, since))))
    )
  }
}

/** When each address of the chains was changed last, by the sequence of the state of its chain. */
export class ChangeIndex {
  readonly #chains = new Map<number, ChainIndex>()
  readonly #limit: number

  /** @param limit - about the most addresses of each kind and chain, and changes of balances of each chain. */
  constructor(limit = defaultLimit) {
    this.#limit = limit
  }

  /** @param prices - the tokens with a changed price. */
  add(update: ChainUpdate, prices: ReadonlySet<string> | 'all'): void {
    const { chainId } = update
    const chain = this.#chains.get(chainId) ?? new ChainIndex(this.#limit)
    this.#chains.set(chainId, chain)
    chain.add(update, prices)
  }

  /** Whether something of a chain was changed after a state of it. Without dependencies, only what changes everything counts. */
  hasChanged(
    chainId: number,
    dependencies: HashedDependencies | undefined,
    since: number,
  ): boolean {
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
