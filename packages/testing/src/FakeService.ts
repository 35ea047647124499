import type { PriceToken } from '@headwater/core'
import type { Fault } from './faults/Fault.ts'
import type { FakeChange } from './http/changes.ts'
import type { FakeRequest } from './http/ServiceState.ts'
import type { FakeChain } from './world/FakeChain.ts'
import type { FakeCollection } from './world/FakeCollection.ts'
import type { FakeToken } from './world/FakeToken.ts'
import type { WalletName } from './world/wallets.ts'
import type { FakeWallet } from './world/World.ts'

/**
 * Options of {@link createFakeService}.
 *
 * @example
 * import { createFakeService, type FakeServiceOptions } from '@headwater/testing'
 * const options: FakeServiceOptions = { seed: 7, quota: 100 }
 * const service = createFakeService(options)
 */
export interface FakeServiceOptions {
  /** Determines addresses, amounts and prices: equal seeds create equal worlds. Default 1. */
  readonly seed?: number | string | undefined
  /** Base URL of the service, below whose path it serves. Default `https://headwater.test`. */
  readonly url?: string | undefined
  /** The valid API key. Default `test-key`. */
  readonly key?: string | undefined
  /** Header that carries the key: the `apiKeyHeader` of clients. Default `X-Service-Api-Key`. */
  readonly apiKeyHeader?: string | undefined
  /** The time of the first block. Default 2026-01-01T00:00:00Z. */
  readonly now?: Date | undefined
  /** The supported chains. Default: Ethereum, Base and Polygon, tagged `default`, and Sepolia. */
  readonly chains?: readonly FakeChain[] | undefined
  /** Compute units of the key: requests that exceed the rest are rejected with 402. Default: unlimited. */
  readonly quota?: number | undefined
  /** Rate limit of the key, by `Date.now()`: requests above it are rejected with 429. Default 100,000 per second. */
  readonly rate?: { readonly requests: number; readonly seconds: number } | undefined
  /** Whether the service delivers changes, so that clients with `push` open a stream. Default false. */
  readonly changes?: boolean | undefined
}

/**
 * A service within the process that implements the contract. Created by {@link createFakeService}.
 *
 * @example
 * import { createClient } from '@headwater/core'
 * import type { FakeService } from '@headwater/testing'
 * const clientOf = ({ url, key, fetch }: FakeService) => createClient({ baseUrl: url, apiKey: key, fetch })
 */
export interface FakeService {
  /** Base URL: the `baseUrl` of a client. */
  readonly url: string
  /** The valid API key. */
  readonly key: string
  /**
   * Handles requests to any host, below the path of `url`, like the global `fetch`: it supports signals and needs no `this`. It uses no timer without a
   * `slow` fault, and works under fake timers.
   */
  readonly fetch: typeof globalThis.fetch
  /** The supported chains. */
  readonly chains: readonly FakeChain[]
  /** Wallets for different test cases. Any other address holds nothing. */
  readonly wallets: readonly FakeWallet[]
  /** All tokens, native assets included. */
  readonly tokens: readonly FakeToken[]
  /** NFT contracts. */
  readonly collections: readonly FakeCollection[]
  /** Received requests, oldest first. */
  readonly requests: readonly FakeRequest[]
  /** Total charged compute units. */
  readonly units: number
  /** The time of the latest block. */
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
   * @throws {RangeError} when it does not exist.
   */
  token(symbol: string, chainId?: number): FakeToken
  /**
   * Adds blocks to all chains, 12 seconds each: prices change, and amounts of the wallets `everyday` and `whale`.
   *
   * @param blocks - Default 1; up to 100,000.
   */
  advance(blocks?: number): void
  /**
   * Sets the price of a token from now on. It is constant until it is set again.
   *
   * @param token - Any reference to a token of this service.
   * @param usd - Per whole token; undefined for no price.
   * @throws {RangeError} when the token does not exist, or has no decimals and therefore no price.
   */
  setPrice(token: PriceToken, usd: number | undefined): void
  /**
   * Sets the amount of a token in a wallet.
   *
   * @param wallet - Any address.
   * @param token - Any reference to a token of this service.
   * @param amount - In smallest units.
   * @throws {RangeError} when the token does not exist, or the amount is negative.
   */
  setAmount(wallet: string, token: PriceToken, amount: bigint | string): void
  /**
   * Transfers an amount of a token between wallets.
   *
   * @param transfer - `amount` is in smallest units.
   * @throws {RangeError} when the token does not exist, or the amount exceeds the balance of the sender.
   */
  transfer(transfer: {
    readonly token: PriceToken
    readonly from: string
    readonly to: string
    readonly amount: bigint | string
  }): void
  /**
   * Delivers an event of changes in a block of its own, such as a reorg or a reset. It changes no data: `setAmount`, `setPrice`
   * and others deliver their events themselves. Without the option `changes`, it has no effect.
   *
   * @param change - What the event names. Addresses that a client does not follow are omitted.
   */
  publish(change: FakeChange): void
  /**
   * Adds a fault. Faults that delay, replace and corrupt a response combine. Of those that replace it, the oldest applies.
   *
   * @param fault - The kind of failure, its operation and number of requests.
   * @returns Removes the fault.
   */
  fail(fault: Fault): () => void
  /** Removes all faults and delivers held responses. */
  heal(): void
  /** Ends all streams of changes, as a restart of the service does. */
  disconnect(): void
  /** Restores the initial state: world, requests and units, without faults. For `afterEach`. */
  reset(): void
}
