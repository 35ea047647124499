import { buildUrl, type OperationName, operations } from '@headwater/contract'
import { createParameters } from '@headwater/contract/schemas'
import { benchChainId } from '../history/startNode.ts'
import { seeded } from './seedStore.ts'

/** Optional parameters that are measured, too. */
const optional: Partial<Record<OperationName, object>> = {
  tokenInfo: { historicalPrices: [1, 2] },
}

/** The requests, one per operation. */
export const requests: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(operations) as OperationName[]).map((name) => {
    const { wallet, token } = seeded
    const parameters = createParameters(name, { wallet, token, chainId: benchChainId })
    return [name, buildUrl(operations[name], { ...parameters, ...optional[name] })]
  }),
)
