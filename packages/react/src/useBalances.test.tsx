import { act, cleanup, configure, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Balance, type Client, type CollectionOptions, createClient } from '@headwater/core'
import { type ClientOption, HeadwaterProvider, useBalances, useClient } from './index.ts'

const alice = `0x${'a'.repeat(40)}`
const bob = `0x${'b'.repeat(40)}`

// The machine may be busy.
configure({ asyncUtilTimeout: 30_000 })

let requests: string[]
let client: Client

beforeEach(() => {
  requests = []
  // A service where every wallet holds one token, named after its holder.
  client = createClient({
    baseUrl: 'http://service.test',
    ssr: false,
    fetch: async (input) => {
      const address = new URL(new Request(input).url).pathname.split('/').at(-1)!
      requests.push(address)
      const token = { chain_id: 1, address: 'native', amount: '1', symbol: `token of ${address}` }
      return Response.json({ wallet_address: address, balances: [token] })
    },
  })
})

afterEach(() => {
  cleanup()
  client.destroy()
})

const provided = ({ children }: { children: ReactNode }) => (
  <HeadwaterProvider client={client}>{children}</HeadwaterProvider>
)

/** A wallet that says whose it is and what it shows, and tells `onRender` the same at each render. */
function Wallet({
  address,
  onRender,
  ...options
}: { address: string; onRender?: (text: string) => void } & CollectionOptions<Balance> &
  ClientOption) {
  const { status, data, error } = useBalances({ address }, options)
  const shown = data?.map(({ symbol }) => symbol).join() ?? error?.name ?? 'nothing'
  const text = `${address} ${status}: ${shown}`
  onRender?.(text)
  return <p>{text}</p>
}

test('shows a wallet: pending first, then its tokens', async () => {
  const onRender = vi.fn()
  render(<Wallet address={alice} onRender={onRender} />, { wrapper: provided })
  await screen.findByText(`${alice} success: token of ${alice}`)
  expect(onRender.mock.calls.flat()).toEqual([
    `${alice} pending: nothing`,
    `${alice} success: token of ${alice}`,
  ])
})

test("never shows the old wallet's rows under the new wallet's name", async () => {
  const onRender = vi.fn<(text: string) => void>()
  const { rerender } = render(<Wallet address={alice} onRender={onRender} />, { wrapper: provided })
  await screen.findByText(`${alice} success: token of ${alice}`)
  rerender(<Wallet address={bob} onRender={onRender} />)
  await screen.findByText(`${bob} success: token of ${bob}`)
  rerender(<Wallet address={alice} onRender={onRender} />)
  await screen.findByText(`${alice} success: token of ${alice}`)

  for (const [text] of onRender.mock.calls) {
    expect(text.startsWith(alice) && text.includes(`token of ${bob}`)).toBe(false)
    expect(text.startsWith(bob) && text.includes(`token of ${alice}`)).toBe(false)
  }
  expect(onRender.mock.calls.flat()).toContain(`${bob} pending: nothing`)
})

test('does not show an answer that comes after its wallet has gone', async () => {
  const onRender = vi.fn<(text: string) => void>()
  const { rerender } = render(<Wallet address={alice} onRender={onRender} />, { wrapper: provided })
  rerender(<Wallet address={bob} onRender={onRender} />)
  await screen.findByText(`${bob} success: token of ${bob}`)
  expect(onRender.mock.calls.flat().filter((text) => text.includes(`token of ${alice}`))).toEqual(
    [],
  )
})

test('sends one request for a component that StrictMode mounts twice', async () => {
  render(
    <StrictMode>
      <Wallet address={alice} />
    </StrictMode>,
    { wrapper: provided },
  )
  await screen.findByText(`${alice} success: token of ${alice}`)
  expect(requests).toEqual([alice])
})

test('sends one request for two components on one wallet', async () => {
  render(
    <>
      <Wallet address={alice} />
      <Wallet address={alice} />
    </>,
    { wrapper: provided },
  )
  await waitFor(() =>
    expect(screen.getAllByText(`${alice} success: token of ${alice}`)).toHaveLength(2),
  )
  expect(requests).toEqual([alice])
})

test('does not render for a poll that brings nothing new', async () => {
  const onRender = vi.fn()
  render(<Wallet address={alice} onRender={onRender} refetchInterval={5} />, { wrapper: provided })
  await waitFor(() => expect(requests.length).toBeGreaterThan(3))
  expect(onRender).toHaveBeenCalledTimes(2)
})

test('shows an error as a state, and sends nothing for parameters that cannot be right', async () => {
  render(<Wallet address="0x12" />, { wrapper: provided })
  await screen.findByText('0x12 error: InvalidParameterError')
  expect(requests).toEqual([])
})

test('follows its options', async () => {
  const { rerender } = render(<Wallet address={alice} enabled={false} />, { wrapper: provided })
  await act(() => Promise.resolve())
  expect(requests).toEqual([])
  rerender(<Wallet address={alice} enabled />)
  await screen.findByText(`${alice} success: token of ${alice}`)
})

test('leaves no observer behind when it is unmounted', async () => {
  const { unmount } = render(<Wallet address={alice} />, { wrapper: provided })
  await screen.findByText(`${alice} success: token of ${alice}`)
  const [query] = client.queryClient.getQueryCache().getAll()
  expect(query!.getObserversCount()).toBe(1)
  unmount()
  await waitFor(() => expect(query!.getObserversCount()).toBe(0))
})

test('takes a client from the options instead of the provider', async () => {
  render(<Wallet address={alice} client={client} />)
  await screen.findByText(`${alice} success: token of ${alice}`)
})

test('goes back to the client of the provider when that of the options goes away', async () => {
  const other = createClient({
    baseUrl: 'http://other.test',
    ssr: false,
    fetch: () => Promise.resolve(new Response('no such key', { status: 401 })),
  })
  const { rerender } = render(<Wallet address={alice} client={other} />, { wrapper: provided })
  await screen.findByText(`${alice} error: HttpError`)
  rerender(<Wallet address={alice} />)
  await screen.findByText(`${alice} success: token of ${alice}`)
  other.destroy()
})

test('says what is missing when there is no client', () => {
  function Lost() {
    return <p>{useClient().baseUrl}</p>
  }
  expect(() => renderToString(<Lost />)).toThrow('HeadwaterProvider')
  expect(() => renderToString(<Wallet address={alice} />)).toThrow('HeadwaterProvider')
})

test('renders on a server what is known there, and sends nothing', () => {
  expect(renderToString(provided({ children: <Wallet address={alice} /> }))).toContain(
    `${alice} pending: nothing`,
  )
  expect(requests).toEqual([])
})
