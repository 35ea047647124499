export { type ClientOption, getClient, type ReactiveOptions, setClient } from './client.ts'
export { createSnapshot, type SnapshotStore } from './createSnapshot.ts'
export type { ReactiveParameters } from './createStream.ts'
export { createUsage } from './createUsage.ts'
export { createWaitForChange } from './createWaitForChange.ts'
export {
  createBalances,
  createCollectibles,
  createTokenBalance,
  createTokenHolders,
  createTokenInfo,
} from './operations.ts'
export { createPortfolio } from './portfolio.ts'
export { createPrice, createPrices } from './prices.ts'
