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

/** The units of live prices, as the service charges them. */
export const figure: Figure = {
  title: 'units of a dashboard in ten minutes: a wallet on 3 chains, 40 live prices, 10 s',
  contenders: {
    headwater: () => measure(watchAll),
    'headwater, pushed, quiet chains': () => measure(watchAll, { blockMs: Infinity }),
    'headwater, pushed, all prices change each second': () => measure(watchAll, { blockMs: 1000 }),
    'headwater, a wallet that was fetched once': () =>
      measure(async (client, service) => {
        watchPrices(client, service)
        await getBalances(client, { address: service.wallet, chainIds })
      }),
    'headwater, no wallet': () => measure(watchPrices),
    // The requests of a cache that does not share prices between operations.
    'one token-info poll per token': () =>
      measure((client, { held }) => {
        for (const { chainId, address } of held) {
          const parameters = { address, chainIds: [chainId] } as const
          watchTokenInfo(client, parameters, { refetchInterval }).subscribe(count)
        }
      }),
  },
  reach: [
    ...['quiet chains', 'all prices change each second'].map((chains) => ({
      of: [`headwater, pushed, ${chains}`, 'units'] as const,
      atMost: 1 / 5,
      times: ['headwater', 'units'] as const,
    })),
    {
      of: ['headwater', 'units'],
      atMost: 1 / 20,
      times: ['one token-info poll per token', 'units'],
    },
  ],
}

function watchAll(client: Client, service: Service) {
  watchWallet(client, service)
  watchPrices(client, service)
}

function watchWallet(client: Client, { wallet }: Service) {
  watchBalances(client, { address: wallet, chainIds }, { refetchInterval }).subscribe()
}

function watchPrices(client: Client, { held }: Service) {
  for (const token of held) {
    watchPrice(client, token, { refetchInterval }).subscribe(count)
  }
}

/** Number of emitted prices. */
let ticks = 0
function count({ status }: Snapshot<unknown>) {
  if (status === 'success') {
    ticks++
  }
}

async function measure(
  begin: (client: Client, service: Service) => void | Promise<void>,
  push?: Parameters<typeof createPricedService>[2],
) {
  stopTime()
  const service = createPricedService(chainIds, tokens, push)
  const { fetch } = service
  const client = createClient({ baseUrl: 'https://example.org', ssr: false, fetch })
  await begin(client, service)
  await passTime(minutes * 60_000)
  const { units, requests } = service
  return { units, requests, unitsByLedger: client.getUsage().spent, ticksOfAPrice: ticks / tokens }
}
