import { act, fireEvent, render, screen } from '@testing-library/react'
import { type ReactNode, StrictMode, Suspense, useState, useTransition } from 'react'
import { flushSync } from 'react-dom'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Balance, watchBalances } from '@headwater/core'
import { Boundary, createStage } from '../test/createStage.tsx'
import {
  useBalances,
  useSuspenseBalances,
  useSuspensePrice,
  useSuspenseTokenBalance,
} from './index.ts'

const stage = createStage()
const { service, provided } = stage
const { address } = service.wallet('everyday')
const other = service.wallet('multichain').address

const select = (rows: readonly Balance[]) => rows.length
const selectNothing = () => undefined

function Wallet({
  of = address,
  ...options
}: { of?: string } & Parameters<typeof useSuspenseBalances<number | undefined>>[1]) {
  const { status, data } = useSuspenseBalances({ address: of }, { select, ...options })
  return <p>{`${status} ${of} ${data}`}</p>
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

/** Finds a text as soon as it is rendered. */
async function find(text: string | RegExp): Promise<HTMLElement> {
  for (let waited = 0; waited < 200 && !screen.queryByText(text); waited += 10) {
    await pass(10)
  }
  return screen.getByText(text)
}

/** Resets boundaries after `errorResetWindowMs`, when the hook requests again. */
async function reset(...buttons: HTMLElement[]) {
  await pass(1000)
  for (const button of buttons) {
    fireEvent.click(button)
  }
}

const open = (children: ReactNode) =>
  render(
    <Boundary>
      <Suspense fallback="loading">{children}</Suspense>
    </Boundary>,
    { wrapper: provided },
  )

beforeEach(() => {
  vi.useFakeTimers()
  // React logs every error that a boundary catches.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  return () => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  }
})

describe('a suspended component', () => {
  test.each([{ staleTime: 0 }, { gcTime: 0 }, { refetchInterval: false as const }])(
    'sends one request with %o while another one delays its mount',
    async (options) => {
      const release = service.fail({ kind: 'hold', operation: 'tokenBalance' })
      function Other() {
        useSuspenseTokenBalance({ address, tokenAddress: 'native', chainIds: [1] })
        return null
      }
      open(
        <StrictMode>
          <Wallet {...options} />
          <Other />
        </StrictMode>,
      )
      await pass(1)
      expect(service.requests.map(({ status }) => status)).toContain(200)
      // Longer than a stream outlives its last subscriber.
      await pass(300)
      expect(screen.queryByText(/success/)).toBeNull()
      release()
      await find(/success/)
      expect(service.requests.map(({ operation }) => operation).sort()).toEqual([
        'balances',
        'tokenBalance',
      ])
    },
  )

  test('unsubscribes when the page is unmounted', async () => {
    const { unmount } = open(<Wallet />)
    await find(/success/)
    unmount()
    await pass(1000)
    expect(stage.client.streams.getActiveQueries()).toEqual([])
  })

  test('that is never mounted is unsubscribed after ten seconds', async () => {
    const { unmount } = open(<Wallet />)
    unmount()
    await pass(9000)
    expect(stage.client.streams.getActiveQueries()).toHaveLength(1)
    await pass(2000)
    expect(stage.client.streams.getActiveQueries()).toEqual([])
    expect(service.requests.length).toBeLessThanOrEqual(2)
  })

  test('requests the prices of a long list together', async () => {
    const tokens = service.tokens.slice(0, 300)
    function Row({ token: { chainId, address } }: { token: (typeof tokens)[number] }) {
      const { data } = useSuspensePrice({ chainId, address })
      return <li>{data.price_usd}</li>
    }
    open(tokens.map((token) => <Row key={`${token.chainId}/${token.address}`} token={token} />))
    await pass(500)
    expect(document.querySelectorAll('li')).toHaveLength(tokens.length)
    const requested = service.requests.map(({ url }) => url)
    expect(new Set(requested).size).toBe(requested.length)
    expect(requested.length).toBeLessThanOrEqual(tokens.length)
  })

  test('does not render in a loop when its client is destroyed', async () => {
    service.fail({ kind: 'hold' })
    const rendered = vi.fn()
    function Counted() {
      rendered()
      return <Wallet />
    }
    const { rerender } = open(<Counted />)
    act(() => stage.client.destroy())
    await pass(50)
    expect(rendered.mock.calls.length).toBeLessThan(10)
    rerender(<p>gone</p>)
  })

  // React 19 renders both until a response.
  test('does not render in a loop when another one suspends in the next update', async () => {
    const release = service.fail({ kind: 'hold' })
    const rendered = vi.fn()
    function Counted({ of }: { of: string }) {
      rendered()
      if (rendered.mock.calls.length > 10_000) {
        throw new Error('renders in a loop')
      }
      return <Wallet of={of} />
    }
    function Toggle({ of }: { of: string }) {
      const [isOpen, setIsOpen] = useState(false)
      return (
        <Suspense fallback="loading">
          {isOpen ? <Counted of={of} /> : <button onClick={() => setIsOpen(true)}>open</button>}
        </Suspense>
      )
    }
    open([address, other].map((of) => <Toggle key={of} of={of} />))
    // Awaited, as React renders what `use` suspends later.
    await act(async () => {
      for (const button of screen.getAllByText('open')) {
        flushSync(() => button.click())
      }
    })
    await pass(1000)
    expect(rendered.mock.calls.length).toBeLessThan(5000)
    release()
    await find(`success ${address} 7`)
    await find(`success ${other} 9`)
    expect(console.error).not.toHaveBeenCalled()
  })

  test('keeps the rendered data during a transition', async () => {
    function Page() {
      const [of, setOf] = useState(address)
      const [isPending, startTransition] = useTransition()
      return (
        <>
          <button onClick={() => startTransition(() => setOf(other))}>
            {isPending ? 'going' : 'go'}
          </button>
          <Wallet of={of} />
        </>
      )
    }
    open(<Page />)
    await find(`success ${address} 7`)
    const release = service.fail({ kind: 'hold' })
    fireEvent.click(screen.getByText('go'))
    await find('going')
    expect(screen.getByText(`success ${address} 7`)).toBeTruthy()
    release()
    await find(`success ${other} 9`)
    expect(service.requests.map(({ parameters }) => parameters.address)).toEqual([address, other])
  })
})

describe('an error', () => {
  test('is requested again without an update of other components while React renders', async () => {
    const recover = service.fail({ status: 401 })
    function Header() {
      const { isFetching } = useBalances({ address })
      return <p>{`fetching: ${isFetching}`}</p>
    }
    render(
      <>
        <Header />
        <Boundary>
          <Suspense fallback="loading">
            <Wallet />
          </Suspense>
        </Boundary>
      </>,
      { wrapper: provided },
    )
    const button = await find(/failed/)
    recover()
    await reset(button)
    await find(/success/)
    expect(vi.mocked(console.error).mock.calls.flat().join()).not.toContain(
      'Cannot update a component',
    )
  })

  test('is thrown to the error boundary, whose reset requests again', async () => {
    const recover = service.fail({ status: 401 })
    open(
      <StrictMode>
        <Wallet />
      </StrictMode>,
    )
    const button = await find('failed with HttpError')
    expect(service.requests).toHaveLength(1)
    recover()
    await reset(button)
    await find(`success ${address} 7`)
    expect(service.requests).toHaveLength(2)
  })

  test('is thrown again after a failed request, and requests again later', async () => {
    service.fail({ status: 401 })
    open(<Wallet />)
    for (const requested of [1, 2, 3]) {
      await find('failed with HttpError')
      expect(service.requests).toHaveLength(requested)
      while (service.requests.length === requested) {
        fireEvent.click(await find('failed with HttpError'))
        await pass(100)
      }
    }
  })

  test('does not cause many requests by a boundary that resets itself', async () => {
    service.fail({ status: 401 })
    open(<Wallet />)
    for (let reset = 0; reset < 30; reset++) {
      fireEvent.click(await find('failed with HttpError'))
      await pass(10)
    }
    expect(service.requests.length).toBeLessThanOrEqual(3)
  })

  test('of invalid parameters sends no request, before and after a reset', async () => {
    open(<Wallet of="0x12" />)
    fireEvent.click(await find('failed with InvalidParameterError'))
    await find('failed with InvalidParameterError')
    expect(service.requests).toEqual([])
  })

  test('requests again after a reset with a select that is new in each render', async () => {
    const recover = service.fail({ status: 401 })
    function Inline() {
      return <p>{useSuspenseBalances({ address }, { select: (rows) => rows.length }).data}</p>
    }
    open(<Inline />)
    const button = await find('failed with HttpError')
    recover()
    await reset(button)
    await find('7')
    expect(service.requests).toHaveLength(2)
  })

  test.each([
    { select, shown: `error ${address} 7` },
    { select: selectNothing, shown: `error ${address} undefined` },
  ])('beside data is part of the snapshot: $shown', async ({ select, shown }) => {
    open(<Wallet select={select} refetchInterval={50} />)
    await find(/success/)
    service.fail({ status: 401 })
    await find(shown)
  })

  test('of select is thrown if there is no data, and select runs again after a reset', async () => {
    let isBroken = true
    const select = ({ length }: readonly Balance[]) => {
      if (isBroken) {
        throw new RangeError('bad row')
      }
      return length
    }
    open(<Wallet select={select} refetchInterval={false} />)
    for (const wait of [0, 2000, 0]) {
      await pass(wait)
      fireEvent.click(await find('failed with UnexpectedError'))
    }
    isBroken = false
    fireEvent.click(await find('failed with UnexpectedError'))
    await find(`success ${address} 7`)
    expect(service.requests).toHaveLength(1)
  })

  test('of select beside data is part of the snapshot', async () => {
    let isBroken = false
    const select = ({ length }: readonly Balance[]) => {
      if (isBroken) {
        throw new RangeError('bad row')
      }
      return length
    }
    open(<Wallet select={select} refetchInterval={50} />)
    await find(/success/)
    isBroken = true
    service.advance(1)
    await find(`error ${address} 7`)
  })

  test('is thrown to two boundaries, and both recover', async () => {
    const recover = service.fail({ status: 401 })
    render(
      [1, 2].map((key) => (
        <Boundary key={key}>
          <Suspense fallback="loading">
            <Wallet />
          </Suspense>
        </Boundary>
      )),
      { wrapper: provided },
    )
    await pass(100)
    const buttons = screen.getAllByText('failed with HttpError')
    expect(buttons).toHaveLength(2)
    recover()
    await reset(...buttons)
    await pass(100)
    expect(screen.getAllByText(`success ${address} 7`)).toHaveLength(2)
    expect(service.requests).toHaveLength(2)
  })
})

test('shares a stream with other subscribers', async () => {
  const subscription = watchBalances(stage.client, { address }).subscribe()
  open(<Wallet />)
  await find(/success/)
  subscription.unsubscribe()
  expect(service.requests).toHaveLength(1)
})
