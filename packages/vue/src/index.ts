export { type ClientOption, headwaterPlugin, provideClient, useClient } from './client.ts'
export {
  useBalances,
  useCollectibles,
  useTokenBalance,
  useTokenHolders,
  useTokenInfo,
} from './operations.ts'
export { usePortfolio } from './portfolio.ts'
export { usePrice, usePrices } from './prices.ts'
export { type SnapshotRef, useSnapshot } from './useSnapshot.ts'
export type { ReactiveParameters } from './useStream.ts'
export { useUsage } from './useUsage.ts'
export { useWaitForChange } from './useWaitForChange.ts'
