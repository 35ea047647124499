import type { Kysely } from 'kysely'
import type { OperationName, ParametersOf, ResponseOf } from '@headwater/contract'
import type { TokenHolder } from '../audit/LedgerBalance.ts'
import type { ChainConfig } from '../config/Config.ts'
import type { MediaLinks } from '../media/MediaLinks.ts'
import type { CollectibleKey } from '../metadata/requestCollectibles.ts'
import type { PriceCache } from '../pricing/PriceCache.ts'
import type { Turns } from '../queues/Turns.ts'
import type { ChainWatches } from '../store/ChainWatches.ts'
import type { Database } from '../store/Database.ts'
import type { ChainReader } from './ChainReader.ts'
import type { Dependencies } from './Dependencies.ts'
import type { NodeChains } from './fromNode/NodeChains.ts'
import type { HeadCache } from './HeadCache.ts'
import type { ChainHeads } from './loadHeads.ts'
import type { Cursors } from './paging/createCursors.ts'
import type { StoreCache } from './StoreCache.ts'

/** The parts of a context that all requests of a service share. */
export interface SharedContext {
  readonly cursors: Cursors
  readonly chainReader: ChainReader
  readonly nodeChains: NodeChains
  readonly headCache: HeadCache
  readonly storeCache: Pick<StoreCache, 'getOrLoad' | 'getOrLoadMany'>
  /** Shares the thread among API keys. */
  readonly turns: Turns
  readonly priceCache: PriceCache
  readonly links: MediaLinks
  /** Schedules the metadata of NFTs for an early fetch, without waiting for it. */
  readonly requestCollectibles: (keys: readonly CollectibleKey[]) => void
  /** Records holders that no log names, without waiting for it. */
  readonly recordHolders: (chainId: number, holders: readonly TokenHolder[]) => void
}

/** The results of reads of the stores of the requested chains. */
export interface StoreResults<Result> {
  readonly results: readonly Result[]
  /** The chains whose store is unavailable, while another store is available. */
  readonly unreachable: readonly ChainConfig[]
}

/** The input of a handler besides its parameters. */
export interface HandlerContext extends SharedContext {
  /**
   * Runs queries on one snapshot of the store of the only chain, once its queue has a free permit. Calls to nodes belong
   * outside of it, as the permit is taken meanwhile.
   */
  readonly readStore: <Result>(
    read: (snapshot: Kysely<Database>) => Promise<Result>,
  ) => Promise<Result>
  /** The same for each store of the requested chains, with the chains of that store. */
  readonly readStores: <Result>(
    read: (snapshot: Kysely<Database>, chains: readonly ChainConfig[]) => Promise<Result>,
  ) => Promise<StoreResults<Result>>
  /**
   * The same for an item, such as a wallet, in one snapshot with the items of other requests of the key for the same chains.
   *
   * @param read - the same function for all items.
   */
  readonly readTogether: <Result>(
    item: string,
    read: (
      snapshot: Kysely<Database>,
      chains: readonly ChainConfig[],
      items: readonly string[],
    ) => Promise<Result>,
  ) => Promise<StoreResults<Result>>
  /** The heads of the requested chains as this process knows them, if all are current, so that no snapshot is needed. */
  readonly getKnownHeads: () => ChainHeads | undefined
  /**
   * Waits while a block is being published, at most once. A snapshot of the store has that block already, but its prices, which
   * are carried from block to block, are not known yet.
   *
   * @returns whether it waited.
   */
  readonly waitForHeads: () => Promise<boolean>
  /** The supported chains of the request, without duplicates, by id. */
  readonly chains: readonly ChainConfig[]
  /** Knows the chains that this process stopped, also if the store does not. */
  readonly watch: Pick<ChainWatches, 'isStopped'>
  /** The API key, whose searches are limited and whose concurrent requests may be read together. */
  readonly keyId: number
  /** Aborts when all clients of the request have disconnected. Work that has begun is completed. */
  readonly signal: AbortSignal
  /** When the request was received. */
  readonly receivedAt: Date
}

/** Result of an operation. */
export interface OperationResult<Body> {
  /** Without the errors and warnings of missing chains. */
  readonly body: Body
  /** The chains of the request as the handler read them. */
  readonly requested: ChainHeads
  /** The block of each chain that the result reflects. Default: its head. */
  readonly blocks?: readonly { readonly chainId: number; readonly number: number }[]
  /** False if a retry at the same blocks may return more, because a node did not respond. Default true. */
  readonly isComplete?: boolean
  /** Undefined if each block may change the result. */
  readonly dependencies?: Dependencies | undefined
}

/**
 * Handles an operation.
 *
 * @throws {ApiError} when the request is rejected.
 */
export type Handler<Name extends OperationName> = (
  parameters: ParametersOf<Name>,
  context: HandlerContext,
) => Promise<OperationResult<ResponseOf<Name>>>
