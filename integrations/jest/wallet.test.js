import { act, render, screen } from '@testing-library/react'
import { createClient } from '@headwater/core'
import { HeadwaterProvider, useBalances } from '@headwater/react'
import { createFakeService } from '@headwater/testing'

const service = createFakeService()
const open = () => createClient({ baseUrl: service.url, apiKey: service.key, fetch: service.fetch })
const { address } = service.wallet('everyday')

function Wallet() {
  const { data, error, status } = useBalances({ address }, { refetchInterval: 50 })
  if (status === 'pending') {
    return <p>Loading …</p>
  }
  return error ? (
    <p role="alert">{error.shortMessage}</p>
  ) : (
    data.map((row) => <p key={row.chain_id + row.address}>{`${row.symbol} ${row.amount}`}</p>)
  )
}

const show = (client) =>
  render(
    <HeadwaterProvider client={client}>
      <Wallet />
    </HeadwaterProvider>,
  )

afterEach(() => service.reset())

test('shows balances, and their changes', async () => {
  const client = open()
  show(client)
  const before = (await screen.findAllByText(/^\w+ \d+$/)).map((row) => row.textContent)
  act(() => service.advance())
  await screen.findByText((text) => /^\w+ \d+$/.test(text) && !before.includes(text))
  client.destroy()
})

test('shows the error of a rejected key', async () => {
  const client = createClient({ baseUrl: service.url, apiKey: 'wrong', fetch: service.fetch })
  show(client)
  expect((await screen.findByRole('alert')).textContent).toMatch(/\w/)
  client.destroy()
})
