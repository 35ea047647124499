// @vitest-environment happy-dom
import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react'
import { createFakeService, expectUnits } from '@headwater/testing'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Wallet } from './Wallet'

test('a wallet shows its tokens', async () => {
  const service = createFakeService()
  const client = createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
  render(
    <HeadwaterProvider client={client}>
      <Wallet address={service.wallet('everyday').address} />
    </HeadwaterProvider>,
  )
  expect(await screen.findByText(/LINK/)).toBeDefined()
  expectUnits(client).toCostAtMost(3)
  client.destroy()
})
