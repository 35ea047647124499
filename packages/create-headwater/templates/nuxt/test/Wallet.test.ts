import { mount } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { h, Suspense } from 'vue'
import { createClient } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { headwaterPlugin, useBalances } from '@headwater/vue'
import Wallet from '../app/components/Wallet.vue'

// Nuxt imports it automatically.
vi.stubGlobal('useBalances', useBalances)

test('shows the balances of a wallet', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  const { address } = service.wallet('everyday')
  const native = { chainId: service.chains[0]!.id, address: 'native' }
  service.setAmount(address, native, 1_234_500_000_000_000_000_001n)
  const wrapper = mount(() => h(Suspense, () => h(Wallet, { address })), {
    global: { plugins: [headwaterPlugin(client)] },
  })
  await expect.poll(() => wrapper.text()).toContain('1,234.5 ETH on Ethereum')
  client.destroy()
})
