import type { Kysely } from 'kysely'
import type { OperationName, ParametersOf, ResponseOf } from '@headwater/contract'
import type { ChainConfig } from '../config/Config.ts'
import type { CollectibleKey } from '../metadata/requestCollectibles.ts'
import type { PriceCache } from '../pricing/PriceCache.ts'
import type { Database } from '../store/Database.ts'
import type { CollectibleLinks } from './collectibles/CollectibleLinks.ts'
import type { ChainReader } from './createChainReader.ts'
import type { Cursors } from './createCursors.ts'
import type { HeadCache } from './createHeadCache.ts'
import type { TokenLinks } from './pricedTokens/TokenLinks.ts'

/** What all answers of a service share. */
export interface SharedContext {
  readonly cursors: Cursors
  readonly chainReader: ChainReader
  readonly headCache: HeadCache
  readonly priceMemory: PriceCache
  readonly links: TokenLinks & CollectibleLinks
  /** Has the documents of NFTs read soon; it waits for nothing. */
  readonly requestCollectibles: (keys: readonly CollectibleKey[]) => void
}

/** What an operation answers from. */
export interface HandlerContext extends SharedContext {
  /**
   * Runs queries that see the store as it is at one moment, once there is room for them. What is no query does not belong
   * into it: who waits for a node must not take the room of others.
   */
  readonly readStore: <Result>(
    read: (snapshot: Kysely<Database>) => Promise<Result>,
  ) => Promise<Result>
  /** The supported chains that the request names, each once, by id. */
  readonly chains: readonly ChainConfig[]
  /** Ids that the request names and that this service does not index. */
  readonly unsupportedChainIds: readonly number[]
  /** When the request came in. */
  readonly receivedAt: Date
}

/** Result of an operation. */
export interface OperationResult<Body> {
  readonly body: Body
  /** The block of each chain that the result reflects. */
  readonly blocks: readonly { readonly chainId: number; readonly number: number }[]
  /** False if a retry at the same blocks may return more, because a node did not respond. Default true. */
  readonly isWhole?: boolean
}

/**
 * Handles an operation.
 *
 * @throws {ApiError} when the request cannot be answered.
 */
export type Handler<Name extends OperationName> = (
  parameters: ParametersOf<Name>,
  context: HandlerContext,
) => Promise<OperationResult<ResponseOf<Name>>>
