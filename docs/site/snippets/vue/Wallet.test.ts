// @vitest-environment happy-dom
import { createClient } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { headwaterPlugin } from '@headwater/vue'
import { expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import Wallet from './Wallet.vue'

test('a wallet shows its tokens', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  const root = document.createElement('div')
  const { address } = service.wallet('everyday')
  const app = createApp(Wallet, { address }).use(headwaterPlugin(client))
  app.mount(root)
  await vi.waitFor(() => expect(root.textContent).toContain('LINK'), { timeout: 10_000 })
  app.unmount()
  client.destroy()
})
