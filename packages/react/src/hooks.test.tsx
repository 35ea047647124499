import { QueryClient } from '@tanstack/query-core'
import { act, render, screen, waitFor } from '@testing-library/react'
import { StrictMode, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { createStage } from '../test/createStage.tsx'
import * as hooks from './index.ts'

const stage = createStage()
const { service, provided } = stage

const [everyday, collector] = [service.wallet('everyday'), service.wallet('collector')]
const tokens = ['USDC', 'WETH'].map((symbol) => {
  const { chainId, address } = service.token(symbol)
  return { chainId, address }
})
const chainIds = tokens.slice(0, 1).map(({ chainId }) => chainId)

/** Every hook of a stream, with parameters for two different answers. */
const table = {
  Balances: [{ address: everyday.address }, { address: collector.address }],
  TokenBalance: tokens.map(({ address: tokenAddress }) => ({
    address: everyday.address,
    tokenAddress,
    chainIds,
  })),
  TokenInfo: tokens.map(({ address }) => ({ address, chainIds })),
  TokenHolders: tokens,
  Collectibles: [{ address: everyday.address }, { address: collector.address }],
  Price: tokens,
  Prices: tokens.map((token) => [token]),
  Portfolio: [{ address: everyday.address }, { address: collector.address }],
}

type Hook = (parameters: unknown, options?: object) => { status: string; data: unknown }

const cases = Object.entries(table).flatMap(([name, [one, other]]) =>
  (['use', 'useSuspense'] as const).map((prefix) => ({
    name: `${prefix}${name}`,
    suspends: prefix === 'useSuspense',
    useIt: hooks[`${prefix}${name}` as keyof typeof hooks] as unknown as Hook,
    one,
    other,
  })),
)

test('the table has every hook that there is', () => {
  const primitives = ['useClient', 'useSnapshot', 'useSuspenseSnapshot']
  const others = ['useUsage', 'useWaitForChange', 'HeadwaterProvider']
  expect([...cases.map(({ name }) => name), ...primitives, ...others].sort()).toEqual(
    Object.keys(hooks).sort(),
  )
})

describe.each(cases)('$name', ({ useIt, suspends, one, other }) => {
  /** Shows the data, and notes what each render showed of what. */
  function Probe({ of, noted = [], ...options }: { of: unknown; noted?: unknown[] }) {
    const { status, data } = useIt(of, options)
    noted.push([of, status, JSON.stringify(data)])
    return <p>{`${status} ${JSON.stringify(data)}`}</p>
  }
  const shown = () => screen.queryAllByText(/success/).map(({ textContent }) => textContent)
  const open = (element: React.ReactNode) =>
    render(<Suspense fallback="loading">{element}</Suspense>, { wrapper: provided })

  test('shows nothing, then the answer', async () => {
    const noted: unknown[][] = []
    const { container } = open(<Probe of={one} noted={noted} />)
    expect(container.textContent).toBe(suspends ? 'loading' : 'pending undefined')
    await waitFor(() => expect(shown()).toHaveLength(1))
    expect(noted.map(([, status]) => status)).toEqual(
      suspends ? ['success'] : ['pending', 'success'],
    )
  })

  test('asks once for two components in StrictMode', async () => {
    open(
      <StrictMode>
        <Probe of={one} />
        <Probe of={one} />
      </StrictMode>,
    )
    await waitFor(() => expect(shown()).toHaveLength(2))
    expect(service.requests).toHaveLength(1)
  })

  test('never shows what is known of one under the name of the other', async () => {
    const noted: unknown[][] = []
    const page = (of: unknown) => (
      <Suspense fallback="loading">
        <Probe of={of} noted={noted} />
      </Suspense>
    )
    const { rerender } = render(page(one), { wrapper: provided })
    await waitFor(() => expect(shown()).toHaveLength(1))
    const [first] = shown()
    rerender(page(other))
    await waitFor(() => expect(shown()).toSatisfy((texts) => texts[0] && texts[0] !== first))
    const [second] = shown()
    rerender(page(one))
    await waitFor(() => expect(shown()).toEqual([first]))

    for (const [of, status, data] of noted) {
      if (status === 'success') {
        expect(`success ${data}`).toBe(of === one ? first : second)
      }
    }
  })

  test('leaves nothing behind when it is unmounted', async () => {
    const { unmount } = open(<Probe of={one} />)
    await waitFor(() => expect(shown()).toHaveLength(1))
    const queries = stage.client.queryClient.getQueryCache().getAll()
    unmount()
    await waitFor(() => {
      expect(queries.map((query) => query.getObserversCount())).toEqual(queries.map(() => 0))
    })
    expect(stage.client.streams.getActiveQueries()).toEqual([])
  })

  test('takes a client from the options, and shares the cache of the app', async () => {
    const queryClient = new QueryClient()
    const client = stage.createClient({ queryClient })
    function Given() {
      return <p>{useIt(one, { client }).status}</p>
    }
    render(<Given />, { wrapper: ({ children }) => <Suspense>{children}</Suspense> })
    await screen.findByText('success')
    expect(queryClient.getQueryCache().getAll().length).toBeGreaterThan(0)
  })

  test('says what is missing when there is no client', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => renderToString(<Probe of={one} />)).toThrow('HeadwaterProvider')
    vi.restoreAllMocks()
  })
})

test.each(cases.filter(({ suspends }) => !suspends))(
  '$name renders on a server what is known there, and sends nothing',
  ({ useIt, one }) => {
    function Probe() {
      return <p>{useIt(one).status}</p>
    }
    stage.client = stage.createClient({ ssr: true })
    expect(renderToString(provided({ children: <Probe /> }))).toBe('<p>pending</p>')
    expect(service.requests).toEqual([])
  },
)

test.each(cases.filter(({ suspends }) => !suspends))(
  '$name sends nothing while it is not enabled',
  async ({ useIt, one }) => {
    function Probe({ enabled }: { enabled: boolean }) {
      return <p>{useIt(one, { enabled }).status}</p>
    }
    const { rerender } = render(<Probe enabled={false} />, { wrapper: provided })
    await act(() => Promise.resolve())
    expect(service.requests).toEqual([])
    rerender(<Probe enabled />)
    await screen.findByText('success')
  },
)
