import type { Address } from 'viem'

/** A number of one NFT, and who has it. */
export interface Holding {
  readonly collection: Address
  readonly id: bigint
  readonly holder: Address
  /** Always 1 for ERC721. */
  readonly amount: bigint
}

/** Who has which NFT. */
export class Gallery {
  /** By collection, number and holder. */
  readonly #amounts = new Map<Address, Map<bigint, Map<Address, bigint>>>()
  /** `owner/collection` where the marketplace may take them. */
  readonly approvals = new Set<string>()

  amountOf(collection: Address, id: bigint, holder: Address): bigint {
    return this.#amounts.get(collection)?.get(id)?.get(holder) ?? 0n
  }

  /** The next free number of a collection: they are given from 1. */
  nextId(collection: Address): bigint {
    let newest = 0n
    for (const id of this.#amounts.get(collection)?.keys() ?? []) {
      if (id > newest) {
        newest = id
      }
    }
    return newest + 1n
  }

  /** Everything of a collection that somebody has. */
  holdingsOf(collection: Address): Holding[] {
    const holdings: Holding[] = []
    for (const [id, holders] of this.#amounts.get(collection) ?? []) {
      for (const [holder, amount] of holders) {
        if (amount > 0n) {
          holdings.push({ collection, id, holder, amount })
        }
      }
    }
    return holdings
  }

  /** Adds to what a holder has; a negative amount takes away. */
  add(collection: Address, id: bigint, holder: Address, amount: bigint): void {
    const ids = entry(this.#amounts, collection, () => new Map<bigint, Map<Address, bigint>>())
    const holders = entry(ids, id, () => new Map<Address, bigint>())
    holders.set(holder, (holders.get(holder) ?? 0n) + amount)
  }

  /** Forgets who has what, not who may take it. */
  clear(): void {
    this.#amounts.clear()
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    map.set(key, (value = create()))
  }
  return value
}
