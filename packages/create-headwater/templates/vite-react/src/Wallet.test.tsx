import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'
import { createFakeService } from '@headwater/testing'
import { Wallet } from './Wallet'

test('shows the balances of a wallet', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  const { address } = service.wallet('everyday')
  const native = { chainId: service.chains[0]!.id, address: 'native' }
  service.setAmount(address, native, 1_234_500_000_000_000_000_001n)
  const { container } = render(
    <HeadwaterProvider client={client}>
      <Wallet address={address} />
    </HeadwaterProvider>,
  )
  await expect.poll(() => container.textContent).toContain('1,234.5 ETH on Ethereum')
  client.destroy()
})
