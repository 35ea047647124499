export { formatAmount, type FormatAmountOptions } from './amounts/formatAmount.ts'
export { getAmount } from './amounts/getAmount.ts'
export { getPriceChange, type PricedItem } from './amounts/getPriceChange.ts'
export { getTotalValueUsd } from './amounts/getTotalValueUsd.ts'
export { getValueUsd } from './amounts/getValueUsd.ts'
export { isLowLiquidity } from './amounts/isLowLiquidity.ts'
export { isSameToken, type TokenReference } from './amounts/isSameToken.ts'
export { parseAmount } from './amounts/parseAmount.ts'
export type { Budget } from './budget/Budget.ts'
export type { Usage, UsageMinute } from './budget/Budget.ts'
export { estimateUnits } from './budget/estimateUnits.ts'
export { setBudget } from './budget/setBudget.ts'
export type { ChangeScope } from './changes/hasChanged.ts'
export type {
  AwaitedTransaction,
  TransactionClient,
  TransactionState,
} from './changes/Transaction.ts'
export { waitForChange } from './changes/waitForChange.ts'
export type { WaitForChangeOptions } from './changes/WaitForChangeOptions.ts'
export type { WaitForChangeResult } from './changes/WaitForChangeResult.ts'
export { type WaitForChangeSnapshot, watchForChange } from './changes/watchForChange.ts'
export type { Client, ClientOptions } from './client/Client.ts'
export { createClient } from './client/createClient.ts'
export type {
  CollectionOptions,
  CollectionSnapshot,
  CollectionStream,
  FetchAllOptions,
  FetchAllProgress,
  ListParameters,
} from './collections/CollectionSnapshot.ts'
export type { OperationInfiniteQueryOptions } from './collections/infiniteQueryOptions.ts'
export type { PaginateOptions, Paginator } from './collections/paginate.ts'
export { BaseError } from './errors/BaseError.ts'
export { BudgetError } from './errors/BudgetError.ts'
export { DestroyedError } from './errors/DestroyedError.ts'
export { type HeadwaterError, isHeadwaterError } from './errors/HeadwaterError.ts'
export { HttpError } from './errors/HttpError.ts'
export { InvalidParameterError } from './errors/InvalidParameterError.ts'
export { InvalidResponseError } from './errors/InvalidResponseError.ts'
export { NetworkError } from './errors/NetworkError.ts'
export { PriceUnavailableError } from './errors/PriceUnavailableError.ts'
export { TimeoutError } from './errors/TimeoutError.ts'
export { UnexpectedError } from './errors/UnexpectedError.ts'
export * from './operations/balances.ts'
export * from './operations/collectibles.ts'
export * from './operations/tokenBalance.ts'
export * from './operations/tokenHolders.ts'
export * from './operations/tokenInfo.ts'
export type {
  Portfolio,
  PortfolioChain,
  PortfolioChange,
  PortfolioHolding,
  PortfolioTotals,
  PortfolioWallet,
} from './portfolio/Portfolio.ts'
export {
  type PortfolioOptions,
  type PortfolioParameters,
  watchPortfolio,
} from './portfolio/watchPortfolio.ts'
export type { PriceSource, PriceTick, PriceTickChange } from './prices/PriceTick.ts'
export type { PriceToken } from './prices/PriceToken.ts'
export {
  type PriceList,
  type PricesSnapshot,
  watchPrice,
  type WatchPriceOptions,
  watchPrices,
} from './prices/watchPrices.ts'
export type { ConnectionState } from './push/Connection.ts'
export { addressQueryFilter, type OperationQueryFilter } from './queries/queryFilters.ts'
export type {
  OperationQueryOptions,
  QueryParameters,
  SkippableQueryOptions,
} from './queries/WatchedQuery.ts'
export type { DefaultWatchOptions, RefetchQuery, WatchOptions } from './queries/WatchOptions.ts'
export type { RequestOptions } from './requests/request.ts'
export { firstSettled } from './snapshots/firstSettled.ts'
export type {
  ErrorSnapshot,
  FetchState,
  PendingSnapshot,
  Snapshot,
  SnapshotStream,
  SuccessSnapshot,
} from './snapshots/Snapshot.ts'
export { SnapshotReader } from './snapshots/SnapshotReader.ts'
export { broadcastClient, type BroadcastClientOptions } from './tabs/broadcastClient.ts'
export type {
  Balance,
  BalancesErrors,
  BalancesParameters,
  BalancesResponse,
  ChainError,
  Collectible,
  CollectibleAttribute,
  CollectibleMetadata,
  CollectiblesErrors,
  CollectiblesParameters,
  CollectiblesResponse,
  HistoricalPrice,
  Holder,
  OperationName,
  ParametersOf,
  PricingPool,
  SpamSignal,
  Token,
  TokenBalanceParameters,
  TokenError,
  TokenHoldersParameters,
  TokenHoldersResponse,
  TokenInfoParameters,
  TokenInfoResponse,
  TokenMetadata,
  Warning,
} from '@headwater/contract'
export { type SkipToken, skipToken } from '@tanstack/query-core'
