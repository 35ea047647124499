import type { FakeChain } from './FakeChain.ts'
import type { FakeCollection, OwnedCollectible } from './FakeCollection.ts'
import type { WorldToken } from './FakeToken.ts'
import type { Ledger } from './Ledger.ts'
import type { Prices } from './Prices.ts'

/** The data of a fake service. */
export interface World {
  readonly seed: string
  readonly chains: readonly FakeChain[]
  readonly tokens: readonly WorldToken[]
  readonly prices: Prices
  readonly ledger: Ledger<WorldToken>
  readonly collections: readonly FakeCollection[]
  readonly collectibles: readonly OwnedCollectible[]
  readonly wallets: readonly FakeWallet[]
  /** The time of the latest block, in seconds. */
  now: number
  /** The latest block of every chain. */
  block: number
}

/**
 * A wallet of a fake service.
 *
 * @example
 * import { createFakeService, type FakeWallet } from '@headwater/testing'
 * const wallets: readonly FakeWallet[] = createFakeService().wallets
 * for (const { name, address, description } of wallets) console.log(name, address, description)
 */
export interface FakeWallet {
  readonly name: string
  /** In lower case. */
  readonly address: string
  /** The test case that it represents. */
  readonly description: string
}

/** Finds a token by chain and address, case-insensitively. */
export function findToken(
  { tokens }: World,
  { chainId, address }: { readonly chainId: number; readonly address: string },
): WorldToken | undefined {
  const wanted = address.toLowerCase()
  return tokens.find((token) => token.chainId === chainId && token.address === wanted)
}
