import { expect, it, vi } from 'vitest'
import { createClient, getBalances } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { getProxy } from './getProxy.ts'

it('sends the key in the header of the runtime configuration', async () => {
  const apiKeyHeader = 'Authorization'
  const service = createFakeService({ apiKeyHeader })
  vi.stubGlobal('fetch', service.fetch)
  const config = {
    app: { baseURL: '/' },
    public: { headwater: { basePath: '/data' } },
    headwater: {
      url: service.url,
      apiKey: service.key,
      apiKeyHeader,
      operations: ['balances' as const],
      changes: false,
    },
  }
  const client = createClient({ baseUrl: '/data', fetch: getProxy(config, '/data').fetch })
  const { address } = service.wallet('everyday')
  expect((await getBalances(client, { address })).balances).not.toEqual([])
  vi.unstubAllGlobals()
})
