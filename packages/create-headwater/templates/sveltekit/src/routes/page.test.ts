import { render } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { createClient } from '@headwater/core'
import { createFakeService } from '@headwater/testing'
import Page from './+page.svelte'

test('shows the balances of a wallet', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  const { address } = service.wallet('everyday')
  const native = { chainId: service.chains[0]!.id, address: 'native' }
  service.setAmount(address, native, 1_234_500_000_000_000_000_001n)
  const { container } = render(Page, { data: { client, address } })
  await expect.poll(() => container.textContent).toContain('1,234.5 ETH on Ethereum')
  client.destroy()
})
