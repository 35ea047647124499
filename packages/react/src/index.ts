export {
  type ClientOption,
  HeadwaterProvider,
  type HeadwaterProviderProps,
  useClient,
} from './client.tsx'
export * from './operations.ts'
export { usePortfolio, useSuspensePortfolio } from './portfolio.ts'
export { usePrice, usePrices, useSuspensePrice, useSuspensePrices } from './prices.ts'
export * from './suspenseOperations.ts'
export { useSnapshot } from './useSnapshot.ts'
export {
  type SuspenseOptions,
  type SuspenseSnapshot,
  useSuspenseSnapshot,
} from './useSuspenseSnapshot.ts'
export { useUsage } from './useUsage.ts'
export { useWaitForChange } from './useWaitForChange.ts'
