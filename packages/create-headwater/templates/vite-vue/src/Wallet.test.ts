import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { createClient } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import { headwaterPlugin } from '@headwater/vue'
import Wallet from './Wallet.vue'

test('shows the balances of a wallet', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  const { address } = service.wallet('everyday')
  const native = { chainId: service.chains[0]!.id, address: 'native' }
  service.setAmount(address, native, 1_234_500_000_000_000_000_001n)
  const wrapper = mount(Wallet, {
    props: { address },
    global: { plugins: [headwaterPlugin(client)] },
  })
  await expect.poll(() => wrapper.text()).toContain('1,234.5 ETH on Ethereum')
  client.destroy()
})
