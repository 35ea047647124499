export { getClient, setClient } from './clientContext.ts'
export { createBalances, type CreateBalancesOptions } from './createBalances.ts'
export { createSnapshot } from './createSnapshot.ts'
