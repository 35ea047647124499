import { createParameters } from '@headwater/contract/schemas'
import {
  type Client,
  type SnapshotStream,
  watchPortfolio,
  watchPrice,
  watchPrices,
} from '../src/index.ts'
import { operationExamples } from './operations.ts'

/** Creates a stream for a wallet or a token of chain 1. */
type Watch = (client: Client, wallet: string, token: string) => SnapshotStream<unknown>

const chainId = 1

/** Every stream that polls, by the name of its function. */
export const allStreams: Readonly<Record<string, Watch>> = {
  ...Object.fromEntries(
    operationExamples.map(({ name, watch }): [string, Watch] => [
      watch.name,
      (client, wallet, token) => watch(client, createParameters(name, { wallet, token, chainId })),
    ]),
  ),
  watchPortfolio: (client, address) => watchPortfolio(client, { address, chainIds: [chainId] }),
  watchPrice: (client, _, address) => watchPrice(client, { chainId, address }),
  watchPrices: (client, _, address) => watchPrices(client, [{ chainId, address }]),
}
