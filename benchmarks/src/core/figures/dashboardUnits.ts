import {
  type Client,
  createClient,
  getBalances,
  type Snapshot,
  watchBalances,
  watchPrice,
  watchTokenInfo,
} from '@headwater/core'
import type { Figure } from '../Figure.ts'
import { createPricedService } from '../kit/createPricedService.ts'
import { passTime, stopTime } from '../kit/passTime.ts'

const chainIds = [1, 10, 8453] as const
const tokens = 40
const refetchInterval = 10_000
const minutes = 10

type Service = ReturnType<typeof createPricedService>

/** What live prices cost, as a service counts it. */
export const figure: Figure = {
  title: 'units of ten minutes of a dashboard: a wallet on 3 chains, 40 live prices, 10 s',
  contenders: {
    headwater: () =>
      measure((client, service) => {
        watchWallet(client, service)
        watchPrices(client, service)
      }),
    'headwater, a wallet that was read once': () =>
      measure(async (client, service) => {
        watchPrices(client, service)
        await getBalances(client, { address: service.wallet, chainIds })
      }),
    'headwater, no wallet': () => measure(watchPrices),
    // What a cache does that does not know that different answers tell the same price.
    'one token-info poll a token': () =>
      measure((client, { held }) => {
        for (const { chainId, address } of held) {
          const parameters = { address, chainIds: [chainId] } as const
          watchTokenInfo(client, parameters, { refetchInterval }).subscribe(count)
        }
      }),
  },
  reach: [
    { of: ['headwater', 'units'], atMost: 1 / 20, times: ['one token-info poll a token', 'units'] },
  ],
}

function watchWallet(client: Client, { wallet }: Service) {
  watchBalances(client, { address: wallet, chainIds }, { refetchInterval }).subscribe()
}

function watchPrices(client: Client, { held }: Service) {
  for (const token of held) {
    watchPrice(client, token, { refetchInterval }).subscribe(count)
  }
}

/** How many prices were shown. */
let ticks = 0
function count({ status }: Snapshot<unknown>) {
  if (status === 'success') {
    ticks++
  }
}

async function measure(begin: (client: Client, service: Service) => void | Promise<void>) {
  stopTime()
  const service = createPricedService(chainIds, tokens)
  const { fetch } = service
  const client = createClient({ baseUrl: 'https://example.org', ssr: false, fetch })
  await begin(client, service)
  await passTime(minutes * 60_000)
  const { units, requests } = service
  return { units, requests, unitsByLedger: client.getUsage().spent, ticksOfAPrice: ticks / tokens }
}
