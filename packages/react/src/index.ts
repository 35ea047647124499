export { HeadwaterProvider, type HeadwaterProviderProps } from './HeadwaterProvider.tsx'
export { useBalances, type UseBalancesOptions } from './useBalances.ts'
export { useClient } from './useClient.ts'
export { useSnapshot } from './useSnapshot.ts'
