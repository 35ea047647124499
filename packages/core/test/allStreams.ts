import type { Observable } from 'rxjs'
import {
  type Client,
  type Snapshot,
  watchBalances,
  watchCollectibles,
  watchPortfolio,
  watchPrice,
  watchPrices,
  watchTokenBalance,
  watchTokenHolders,
  watchTokenInfo,
} from '../src/index.ts'

/** Creates a stream for a wallet or a token of chain 1. */
type Watch = (client: Client, wallet: string, token: string) => Observable<Snapshot<unknown>>

const chainIds = [1]
const on = (address: string) => ({ chainId: 1, address })

/** Every stream that polls, by the name of its function. */
export const allStreams: Readonly<Record<string, Watch>> = {
  watchBalances: (client, address) => watchBalances(client, { address, chainIds }),
  watchCollectibles: (client, address) => watchCollectibles(client, { address, chainIds }),
  watchPortfolio: (client, address) => watchPortfolio(client, { address, chainIds }),
  watchPrice: (client, _, token) => watchPrice(client, on(token)),
  watchPrices: (client, _, token) => watchPrices(client, [on(token)]),
  watchTokenBalance: (client, address, tokenAddress) =>
    watchTokenBalance(client, { address, tokenAddress, chainIds: [1] }),
  watchTokenHolders: (client, _, token) => watchTokenHolders(client, on(token)),
  watchTokenInfo: (client, _, address) => watchTokenInfo(client, { address, chainIds: [1] }),
}
