import type { Warning } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { TokenHashes } from '../../store/ChangeIndex.ts'
import type { ChainHeads } from '../loadHeads.ts'
import type { FindAuditedBlock } from '../pricedTokens/loadAuditedBlocks.ts'
import type { PricedToken } from '../pricedTokens/priceToken.ts'
import type { BalanceEntry } from './BalanceEntry.ts'
import type { ChainReads } from './limitChainReads.ts'

/** What a store, or the nodes of chains that are not indexed, return of a request's chains. */
export interface FoundBalances {
  readonly fromLedger: readonly BalanceEntry[]
  readonly natives: readonly PricedToken[]
  readonly reads: ChainReads
  /** Numbers of tokens by chain id. */
  readonly skipped: readonly ReadonlyMap<number, number>[]
  /** The price books of the wallet at the head, by chain id. */
  readonly books: ReadonlyMap<number, PriceBook>
  /** Those with past prices; undefined if none are requested. */
  readonly pastBooks: ReadonlyMap<number, PriceBook> | undefined
  readonly findAuditedBlock: FindAuditedBlock | undefined
  readonly warnings: readonly Warning[]
  readonly requested: ChainHeads
}

/** What a store returns, and what that depends on. Nodes name no changes. */
export interface StoreBalances extends FoundBalances {
  /** What the prices of the tokens from the ledger, and of those that may get one, depend on, by chain id. */
  readonly dependencies: ReadonlyMap<number, TokenHashes>
  readonly isVolatile: boolean
}

/** Combines what stores and nodes return of a request's chains, each of other chains. */
export function combineStores(results: readonly FoundBalances[]) {
  const findStore = (chainId: number) =>
    results.find(({ requested }) => requested.heads.has(chainId))
  const findAuditedBlock: FindAuditedBlock = (token) =>
    findStore(token.chain.id)?.findAuditedBlock?.(token)
  return {
    fromLedger: results.flatMap((result) => result.fromLedger),
    natives: results.flatMap((result) => result.natives),
    reads: {
      tokens: results.flatMap(({ reads }) => reads.tokens),
      isHeld: (priced: PricedToken) =>
        findStore(priced.token.chain.id)?.reads.isHeld(priced) ?? false,
      errors: results.flatMap(({ reads }) => reads.errors),
      skipped: new Map(results.flatMap(({ reads }) => [...reads.skipped])),
    },
    skipped: results.flatMap((result) => result.skipped),
    pastBooks: results.some(({ pastBooks }) => pastBooks)
      ? new Map(results.flatMap(({ pastBooks }) => [...(pastBooks ?? [])]))
      : undefined,
    books: new Map(results.flatMap(({ books }) => [...books])),
    findAuditedBlock: results.some((result) => result.findAuditedBlock)
      ? findAuditedBlock
      : undefined,
    warnings: results.flatMap((result) => result.warnings),
  }
}
