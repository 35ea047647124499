export {
  type ClientOption,
  HeadwaterProvider,
  type HeadwaterProviderProps,
  useClient,
} from './client.tsx'
export {
  useBalances,
  useCollectibles,
  useTokenBalance,
  useTokenHolders,
  useTokenInfo,
} from './operations.ts'
export { usePortfolio, useSuspensePortfolio } from './portfolio.ts'
export { usePrice, usePrices, useSuspensePrice, useSuspensePrices } from './prices.ts'
export {
  useSuspenseBalances,
  useSuspenseCollectibles,
  useSuspenseTokenBalance,
  useSuspenseTokenHolders,
  useSuspenseTokenInfo,
} from './suspenseOperations.ts'
export { useSnapshot } from './useSnapshot.ts'
export {
  type SuspenseOptions,
  type SuspenseSnapshot,
  useSuspenseSnapshot,
} from './useSuspenseSnapshot.ts'
export { useUsage } from './useUsage.ts'
export { useWaitForChange } from './useWaitForChange.ts'
