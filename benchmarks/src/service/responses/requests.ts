import { benchChainId } from '../history/startNode.ts'
import { seeded } from './seedStore.ts'

/** The requests, one per operation. */
export const requests: Readonly<Record<string, string>> = {
  balances: `/v1/evm/balances/${seeded.wallet}?chain_ids=${benchChainId}`,
  tokenBalance: `/v1/evm/balances/${seeded.wallet}/token/${seeded.wrappedNative}?chain_ids=${benchChainId}`,
  tokenInfo: `/v1/evm/token-info/${seeded.token}?chain_ids=${benchChainId}&historical_prices=1,2`,
  tokenHolders: `/v1/evm/token-holders/${benchChainId}/${seeded.token}`,
  collectibles: `/v1/evm/collectibles/${seeded.wallet}?chain_ids=${benchChainId}`,
}
