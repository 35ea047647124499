import { balancesOperation } from '../balances/balancesOperation.ts'
import type { ClientOperation } from '../operation/ClientOperation.ts'
import { tokenBalanceOperation } from '../tokenBalance/tokenBalanceOperation.ts'
import { tokenInfoOperation } from '../tokenInfo/tokenInfoOperation.ts'
import type { PriceSource } from './PriceTick.ts'

/** The operations that tell prices. Each gets parameters of its own. */
export const priceOperations = {
  balances: balancesOperation,
  tokenBalance: tokenBalanceOperation,
  tokenInfo: tokenInfoOperation,
} as unknown as Record<PriceSource, ClientOperation<object, object>>
