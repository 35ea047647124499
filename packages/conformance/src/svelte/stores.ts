import {
  createBalances,
  createCollectibles,
  createPortfolio,
  createPrice,
  createPrices,
  createTokenBalance,
  createTokenHolders,
  createTokenInfo,
  createUsage,
  createWaitForChange,
  type SnapshotStore,
} from '@headwater/svelte'
import type { StreamName } from '../Streams.ts'

/** The functions that create stores. */
export const stores: Record<
  StreamName,
  (parameters: () => never, options: () => never) => SnapshotStore<unknown>
> = {
  balances: createBalances,
  tokenBalance: createTokenBalance,
  tokenInfo: createTokenInfo,
  tokenHolders: createTokenHolders,
  collectibles: createCollectibles,
  price: createPrice,
  prices: createPrices,
  portfolio: createPortfolio,
  usage: (_, options) => createUsage(options()),
  waitForChange: (_, options) => createWaitForChange(options()),
}
