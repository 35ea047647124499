import type { PriceToken } from '@headwater/core'
import type { Fault } from './faults/Fault.ts'
import type { FakeRequest } from './http/ServiceState.ts'
import type { FakeChain } from './world/FakeChain.ts'
import type { FakeCollection } from './world/FakeCollection.ts'
import type { FakeToken } from './world/FakeToken.ts'
import type { WalletName } from './world/wallets.ts'
import type { FakeWallet } from './world/World.ts'

/**
 * What {@link createFakeService} takes.
 *
 * @example
 * import { createFakeService, type FakeServiceOptions } from '@headwater/testing'
 * const options: FakeServiceOptions = { seed: 7, quota: 100 }
 * const service = createFakeService(options)
 */
export interface FakeServiceOptions {
  /** What decides addresses, amounts and prices: the same seed makes the same world. Default 1. */
  readonly seed?: number | string
  /** Where the service pretends to live. Default `https://headwater.test`. */
  readonly url?: string
  /** The API key that it takes. Default `test-key`. */
  readonly key?: string
  /** The time of its first block. Default 2026-01-01T00:00:00Z. */
  readonly now?: Date
  /** The chains that it answers for. Default: Ethereum, Base and Polygon, tagged `default`, and Sepolia. */
  readonly chains?: readonly FakeChain[]
  /** Compute units that the key has: what costs more than is left is refused with 402. Default: any number. */
  readonly quota?: number
  /** How fast the key may ask by the clock of `Date.now`: what is faster is refused with 429. Default 100,000 a second. */
  readonly rate?: { readonly requests: number; readonly seconds: number }
}

/**
 * A service inside of the process, which answers as the contract declares. Made by {@link createFakeService}.
 *
 * @example
 * import { createClient } from '@headwater/core'
 * import type { FakeService } from '@headwater/testing'
 * const clientOf = ({ url, key, fetch }: FakeService) => createClient({ baseUrl: url, apiKey: key, fetch })
 */
export interface FakeService {
  /** Where it pretends to live: the `baseUrl` of a client. */
  readonly url: string
  /** The API key that it takes. */
  readonly key: string
  /**
   * Answers requests, to whatever host, as the global `fetch` would: it honours signals and needs no `this`. It waits for
   * no timer unless a fault says so, and works under fake timers.
   */
  readonly fetch: typeof globalThis.fetch
  /** The chains that it answers for. */
  readonly chains: readonly FakeChain[]
  /** Wallets, each with something special about it. Any other address is one that holds nothing. */
  readonly wallets: readonly FakeWallet[]
  /** All tokens, native assets included. */
  readonly tokens: readonly FakeToken[]
  /** Contracts of NFTs. */
  readonly collections: readonly FakeCollection[]
  /** What it was asked, the oldest first. */
  readonly requests: readonly FakeRequest[]
  /** Compute units that it charged. */
  readonly units: number
  /** The time of the newest block. */
  readonly now: Date
  /**
   * The wallet of a name.
   *
   * @param name - Such as `whale`.
   */
  wallet(name: WalletName): FakeWallet
  /**
   * The token of a symbol.
   *
   * @param symbol - Such as `USDC`; `native` for the native asset.
   * @param chainId - Default: the first chain.
   * @throws {RangeError} when there is none.
   */
  token(symbol: string, chainId?: number): FakeToken
  /**
   * Lets blocks pass on all chains, 12 seconds each: prices move, and so do amounts of the wallets `everyday` and `whale`.
   *
   * @param blocks - Default 1; up to 100,000.
   */
  advance(blocks?: number): void
  /**
   * Sets the price of a token from now on. It stays until it is set again.
   *
   * @param token - Any reference to a token of this service.
   * @param usd - Of a whole token; undefined for none.
   * @throws {RangeError} when there is no such token.
   */
  setPrice(token: PriceToken, usd: number | undefined): void
  /**
   * Sets what a wallet has of a token.
   *
   * @param wallet - Any address.
   * @param token - Any reference to a token of this service.
   * @param amount - In smallest units.
   * @throws {RangeError} when there is no such token, or the amount is below zero.
   */
  setAmount(wallet: string, token: PriceToken, amount: bigint | string): void
  /**
   * Sends some of a token from one wallet to another.
   *
   * @param transfer - `amount` is in smallest units.
   * @throws {RangeError} when there is no such token, or the sender has less than that.
   */
  transfer(transfer: {
    readonly token: PriceToken
    readonly from: string
    readonly to: string
    readonly amount: bigint | string
  }): void
  /**
   * Fails from now on, in the way that is asked for. Faults add up: what delays an answer, what replaces it and what spoils
   * it may come together; of those that replace it each request meets one, the oldest first.
   *
   * @param fault - What goes wrong, for which operation, how many times.
   * @returns Takes this fault back.
   */
  fail(fault: Fault): () => void
  /** Takes all faults back; answers that are held come now. */
  heal(): void
  /** Makes all as it was at first: world, requests, units, no faults. For `afterEach`. */
  reset(): void
}
