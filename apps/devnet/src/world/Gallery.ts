import type { Address } from 'viem'

/** An amount of one NFT and its owner. */
export interface Holding {
  readonly collection: Address
  readonly id: bigint
  readonly holder: Address
  /** Always 1 for ERC721. */
  readonly amount: bigint
}

/** The owners of NFTs. */
export class Gallery {
  /** By collection, id and owner. */
  readonly #amounts = new Map<Address, Map<bigint, Map<Address, bigint>>>()
  /** `owner/collection` for approvals of the marketplace. */
  readonly approvals = new Set<string>()

  amountOf(collection: Address, id: bigint, holder: Address): bigint {
    return this.#amounts.get(collection)?.get(id)?.get(holder) ?? 0n
  }

  /** The next free id of a collection; ids start at 1. */
  nextId(collection: Address): bigint {
    let newest = 0n
    for (const id of this.#amounts.get(collection)?.keys() ?? []) {
      if (id > newest) {
        newest = id
      }
    }
    return newest + 1n
  }

  /** All NFTs of a collection with an owner. */
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

  /** Adds an amount to an owner's balance; it may be negative. */
  add(collection: Address, id: bigint, holder: Address, amount: bigint): void {
    const ids = entry(this.#amounts, collection, () => new Map<bigint, Map<Address, bigint>>())
    const holders = entry(ids, id, () => new Map<Address, bigint>())
    holders.set(holder, (holders.get(holder) ?? 0n) + amount)
  }

  /** Removes all owners, but keeps the approvals. */
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
