export { headwaterPlugin } from './headwaterPlugin.ts'
export { useBalances, type UseBalancesOptions } from './useBalances.ts'
export { useClient } from './useClient.ts'
export { useSnapshot } from './useSnapshot.ts'
