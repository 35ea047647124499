// The page of the browser test: a client of a fake service in the page, Headwater's and TanStack's devtools. Bundled by Vite.
import { onlineManager, QueryClient } from '@tanstack/query-core'
import { TanstackQueryDevtools } from '@tanstack/query-devtools'
import {
  broadcastClient,
  createClient,
  watchBalances,
  watchPrice,
  watchTokenHolders,
} from '@headwater/core'
import { mountDevtools } from '@headwater/devtools'
import { createFakeService } from '@headwater/testing'

const parameters = new URLSearchParams(location.search)
const quota = parameters.get('quota')
const service = createFakeService(quota ? { quota: Number(quota) } : {})
const queryClient = new QueryClient()
const client = createClient({
  baseUrl: service.url,
  apiKey: service.key,
  fetch: service.fetch,
  queryClient,
})
if (parameters.has('tabs')) {
  broadcastClient(client)
}
const unmount = mountDevtools(client, { open: parameters.has('open') })
if (parameters.has('second')) {
  mountDevtools(createClient({ baseUrl: service.url, fetch: service.fetch, scope: 'second' }))
}

if (parameters.has('tanstack')) {
  const devtools = new TanstackQueryDevtools({
    client: queryClient,
    queryFlavor: 'Core',
    version: '5',
    onlineManager,
    initialIsOpen: true,
  })
  devtools.mount(document.getElementById('tanstack')!)
}

const { address } = service.wallet(parameters.has('ugly') ? 'ugly' : 'everyday')
const output = document.getElementById('output')!
watchBalances(client, { address, chainIds: [1] }, { refetchInterval: 500 }).subscribe(
  ({ status, data, error }) => {
    const native = data?.find((balance) => balance.address === 'native')
    output.textContent = `${status} ${native?.amount ?? ''} ${error?.name ?? ''}`
  },
)
const { address: held } = service.token('LINK')
watchTokenHolders(client, { chainId: 1, address: held }).subscribe()
for (let index = 0; index < Number(parameters.get('prices') ?? 1); index++) {
  const token = `0x${(index + 1).toString(16).padStart(40, '0')}`
  watchPrice(
    client,
    { chainId: 1, address: index === 0 ? 'native' : token },
    { enabled: index === 0 },
  ).subscribe()
}

Object.assign(window, { service, client, unmount })
