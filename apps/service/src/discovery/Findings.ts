/** More NFTs of a wallet are not kept. */
export const maxCollectibles = 10_000

/** A block with its time, where that is known. */
export interface TransferBlock {
  readonly number: number
  /** Unix seconds. */
  readonly time: number | undefined
}

/** An NFT in transfers of a wallet. */
export interface FoundCollectible {
  /** Lower case. */
  readonly contract: string
  readonly tokenId: bigint
  /** The standard of the event. */
  readonly standard: 721 | 1155
  /** The latest transfer to the wallet, as far as it is known. */
  readonly lastIn: TransferBlock | undefined
  /** The block of the latest transfer from it. */
  readonly lastOut: number | undefined
}

/** What the transfers of a wallet show that it may hold. */
export interface Findings {
  /** Contracts in lower case. */
  readonly tokens: Set<string>
  /** By {@link getCollectibleKey}. */
  readonly collectibles: Map<string, FoundCollectible>
}

export function createFindings(): Findings {
  return { tokens: new Set(), collectibles: new Map() }
}

export function getCollectibleKey({
  contract,
  tokenId,
}: Pick<FoundCollectible, 'contract' | 'tokenId'>): string {
  return `${contract}/${tokenId}`
}

/** Adds an NFT, or its later transfers. */
export function addCollectible({ collectibles }: Findings, found: FoundCollectible): void {
  const key = getCollectibleKey(found)
  const known = collectibles.get(key)
  const [lastIn] = [known?.lastIn, found.lastIn]
    .filter((block) => block !== undefined)
    .sort((a, b) => b.number - a.number)
  const lastOut = Math.max(known?.lastOut ?? -1, found.lastOut ?? -1)
  collectibles.set(key, {
    ...found,
    // A contract with events of both standards has owners.
    standard: known?.standard === 721 ? 721 : found.standard,
    lastIn,
    lastOut: lastOut < 0 ? undefined : lastOut,
  })
}

/** Adds what was found to other findings. */
export function addFindings(target: Findings, { tokens, collectibles }: Findings): void {
  for (const token of tokens) {
    target.tokens.add(token)
  }
  for (const collectible of collectibles.values()) {
    addCollectible(target, collectible)
  }
}

/** Copies both together. */
export function mergeFindings(findings: Findings, recent: Findings | undefined): Findings {
  const merged = {
    tokens: new Set(findings.tokens),
    collectibles: new Map(findings.collectibles),
  }
  addFindings(merged, recent ?? createFindings())
  return merged
}

/** Whether a wallet may hold an NFT: it received it and, of ERC721, did not send it later. */
export function mayBeHeld({ standard, lastIn, lastOut = -1 }: FoundCollectible): boolean {
  return lastIn !== undefined && (standard === 1155 || lastOut <= lastIn.number)
}

/**
 * Drops NFTs beyond a number. Contracts with the most lose theirs first, those that were received last remain: anyone can
 * emit transfers of any number to any wallet, which displace none of other contracts.
 *
 * @returns the keys of those that were dropped.
 */
export function limitCollectibles({ collectibles }: Findings, max: number): string[] {
  if (collectibles.size <= max) {
    return []
  }
  const counts = new Map<string, number>()
  const ranked = [...collectibles]
    .map(([key, found]) => {
      const receivedAt = mayBeHeld(found) ? (found.lastIn?.number ?? -1) : -1
      return { key, contract: found.contract, receivedAt }
    })
    .sort((a, b) => b.receivedAt - a.receivedAt)
    .map((each) => {
      const rank = counts.get(each.contract) ?? 0
      counts.set(each.contract, rank + 1)
      return { ...each, rank }
    })
  const dropped = ranked.sort((a, b) => a.rank - b.rank).slice(max)
  for (const { key } of dropped) {
    collectibles.delete(key)
  }
  return dropped.map(({ key }) => key)
}
