export { amountOf } from './amounts/amountOf.ts'
export { formatAmount, type FormatAmountOptions } from './amounts/formatAmount.ts'
export { isLowLiquidity } from './amounts/isLowLiquidity.ts'
export { parseAmount } from './amounts/parseAmount.ts'
export { priceChange, type PricedItem } from './amounts/priceChange.ts'
export { sameToken, type TokenReference } from './amounts/sameToken.ts'
export { totalValue } from './amounts/totalValue.ts'
export { valueOf } from './amounts/valueOf.ts'
export { balancesQueryOptions } from './balances/balancesQueryOptions.ts'
export { getBalances } from './balances/getBalances.ts'
export { listBalances } from './balances/listBalances.ts'
export { watchBalances, type BalancesSnapshot } from './balances/watchBalances.ts'
export type { Client, ClientOptions } from './client/Client.ts'
export { createClient } from './client/createClient.ts'
export { collectiblesQueryOptions } from './collectibles/collectiblesQueryOptions.ts'
export { getCollectibles } from './collectibles/getCollectibles.ts'
export { listCollectibles } from './collectibles/listCollectibles.ts'
export { watchCollectibles } from './collectibles/watchCollectibles.ts'
export type { CollectionOptions, ListParameters } from './collections/CollectionOptions.ts'
export type {
  CollectionSnapshot,
  CollectionStream,
  FetchAllOptions,
  FetchAllProgress,
} from './collections/CollectionSnapshot.ts'
export type { ListOptions, PagedList } from './collections/listCollection.ts'
export { BudgetError } from './errors/BudgetError.ts'
export { HeadwaterError, isHeadwaterError } from './errors/HeadwaterError.ts'
export { HttpError } from './errors/HttpError.ts'
export { InvalidParameterError } from './errors/InvalidParameterError.ts'
export { MalformedAnswerError } from './errors/MalformedAnswerError.ts'
export { NetworkError } from './errors/NetworkError.ts'
export { TimeoutError } from './errors/TimeoutError.ts'
export { expectChange, type ExpectedChange } from './expectChange/expectChange.ts'
export type { ExpectChangeOptions } from './expectChange/ExpectChangeOptions.ts'
export {
  watchExpectedChange,
  type ExpectedChangeSnapshot,
} from './expectChange/watchExpectedChange.ts'
export type { GetOptions } from './operation/getOperation.ts'
export type { OperationName } from './operation/OperationName.ts'
export type { OperationQueryOptions } from './operation/OperationQueryOptions.ts'
export type {
  Portfolio,
  PortfolioChain,
  PortfolioChange,
  PortfolioPart,
} from './portfolio/Portfolio.ts'
export {
  watchPortfolio,
  type PortfolioOptions,
  type PortfolioParameters,
} from './portfolio/watchPortfolio.ts'
export type { PriceSource, PriceTick, PriceTickChange } from './prices/PriceTick.ts'
export type { PriceToken } from './prices/PriceToken.ts'
export { watchPrice } from './prices/watchPrice.ts'
export type { WatchPriceOptions } from './prices/WatchPriceOptions.ts'
export { watchPrices, type PriceList } from './prices/watchPrices.ts'
export type {
  ErrorSnapshot,
  PendingSnapshot,
  Snapshot,
  SuccessSnapshot,
} from './streams/Snapshot.ts'
export type { SnapshotStream } from './streams/SnapshotStream.ts'
export type { WatchOptions } from './streams/WatchOptions.ts'
export { whenSettled } from './streams/whenSettled.ts'
export { shareTabs, type ShareTabsOptions } from './tabs/shareTabs.ts'
export type { Budget } from './units/Budget.ts'
export { costOf, type ParametersByOperation } from './units/costOf.ts'
export type { Usage, UsageMinute } from './units/Usage.ts'
export { getTokenBalance } from './tokenBalance/getTokenBalance.ts'
export { tokenBalanceQueryOptions } from './tokenBalance/tokenBalanceQueryOptions.ts'
export { watchTokenBalance } from './tokenBalance/watchTokenBalance.ts'
export { getTokenHolders } from './tokenHolders/getTokenHolders.ts'
export { listTokenHolders } from './tokenHolders/listTokenHolders.ts'
export { tokenHoldersQueryOptions } from './tokenHolders/tokenHoldersQueryOptions.ts'
export { watchTokenHolders } from './tokenHolders/watchTokenHolders.ts'
export { getTokenInfo } from './tokenInfo/getTokenInfo.ts'
export { tokenInfoQueryOptions } from './tokenInfo/tokenInfoQueryOptions.ts'
export { watchTokenInfo } from './tokenInfo/watchTokenInfo.ts'
export type {
  Balance,
  BalancesErrors,
  BalancesParameters,
  BalancesResponse,
  Collectible,
  CollectibleAttribute,
  CollectibleMetadata,
  CollectiblesParameters,
  CollectiblesResponse,
  HistoricalPrice,
  Holder,
  PricingPool,
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
