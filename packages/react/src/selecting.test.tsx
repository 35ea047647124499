import { keepPreviousData } from '@tanstack/query-core'
import { act, render, screen } from '@testing-library/react'
import { StrictMode, Suspense, useEffect, useState } from 'react'
import { describe, expect, type Mock, test, vi } from 'vitest'
import type { Balance } from '@headwater/core'
import { createStage } from '../test/createStage.tsx'
import { useBalances, useSuspenseBalances } from './index.ts'

const stage = createStage()
const { service, provided } = stage
const { address } = service.wallet('everyday')
const other = service.wallet('multichain').address
const symbolsOf = (rows: readonly Balance[]) => rows.map(({ symbol }) => symbol)

const pass = (milliseconds: number) =>
  act(() => new Promise((resolve) => setTimeout(resolve, milliseconds)))

/** Copies `data` into the state of its component after each change. */
function useCopiedData(data: unknown, onRender: Mock): void {
  const [, setCopy] = useState<unknown>()
  // eslint-disable-next-line react-hooks/set-state-in-effect -- as apps do
  useEffect(() => setCopy(data), [data])
  onRender()
  if (onRender.mock.calls.length > 100) {
    throw new Error('endless loop')
  }
}

describe('an inline select', () => {
  test('with an effect on data renders four times, as in TanStack Query', async () => {
    const onRender = vi.fn()
    function Wallet() {
      const { data } = useBalances({ address }, { select: (rows) => rows.filter(Boolean) })
      useCopiedData(data, onRender)
      return <p>{data?.length ?? 'none'}</p>
    }
    render(<Wallet />, { wrapper: provided })
    await screen.findByText('7')
    await pass(50)
    expect(onRender.mock.calls.length).toBeLessThanOrEqual(4)
  })

  test('keeps the identity of equal data, and the subscription, when its component renders again', async () => {
    const subscribe = vi.spyOn(stage.client.streams.poller, 'add')
    const seen = new Set<unknown>()
    function Wallet() {
      const { data } = useBalances({ address }, { select: (rows) => symbolsOf(rows) })
      if (data) {
        seen.add(data)
      }
      return <p>{data?.length ?? 'none'}</p>
    }
    const { rerender } = render(<Wallet />, { wrapper: provided })
    await screen.findByText('7')
    for (let count = 0; count < 10; count++) {
      rerender(<Wallet />)
    }
    await pass(200)
    expect(seen.size).toBe(1)
    expect(service.requests).toHaveLength(1)
    expect(subscribe).toHaveBeenCalledTimes(1)
  })

  test('that depends on a property is applied in the same render', async () => {
    const seen: string[] = []
    function Wallet({ limit }: { limit: number }) {
      const { data } = useBalances({ address }, { select: (rows) => rows.slice(0, limit) })
      seen.push(`${limit}: ${data?.length ?? 'none'}`)
      return <p>{data?.length ?? 'none'}</p>
    }
    const { rerender } = render(<Wallet limit={1} />, { wrapper: provided })
    await screen.findByText('1')
    rerender(<Wallet limit={3} />)
    expect(seen).toEqual(['1: none', '1: 1', '3: 3'])
  })

  test('sends one request while its component is suspended', async () => {
    service.fail({ kind: 'slow', delay: 100 })
    function Wallet() {
      const { data } = useSuspenseBalances({ address }, { select: (rows) => symbolsOf(rows) })
      return <p>{data.length}</p>
    }
    const page = () => (
      <StrictMode>
        <Suspense fallback="loading">
          <Wallet />
        </Suspense>
      </StrictMode>
    )
    const { rerender } = render(page(), { wrapper: provided })
    for (let count = 0; count < 20; count++) {
      rerender(page())
      await pass(2)
    }
    await screen.findByText('7')
    expect(service.requests).toHaveLength(1)
  })
})

test('an inline placeholderData with an effect on data does not cause a loop', async () => {
  service.fail({ kind: 'slow', delay: 100 })
  const onRender = vi.fn()
  function Wallet() {
    const { data } = useBalances({ address }, { placeholderData: [] })
    useCopiedData(data, onRender)
    return <p>{data?.length}</p>
  }
  render(<Wallet />, { wrapper: provided })
  await screen.findByText('7')
  expect(onRender.mock.calls.length).toBeLessThanOrEqual(4)
})

describe('keepPreviousData', () => {
  test('keeps the data of the previous parameters as placeholder, also twice in a row', async () => {
    const seen: string[] = []
    function Wallet({ of }: { of: string }) {
      const { status, data, isPlaceholderData } = useBalances(
        { address: of },
        { select: (rows) => rows.length, placeholderData: keepPreviousData },
      )
      seen.push(`${status} ${data}${isPlaceholderData ? ' of before' : ''}`)
      return <p>{seen.at(-1)}</p>
    }
    const { rerender } = render(<Wallet of={address} />, { wrapper: provided })
    await screen.findByText('success 7')
    service.fail({ kind: 'slow', delay: 50 })
    rerender(<Wallet of={`0x${'1'.repeat(40)}`} />)
    expect(seen.at(-1)).toBe('success 7 of before')
    rerender(<Wallet of={other} />)
    await screen.findByText('success 9')
    expect([...new Set(seen)]).toEqual([
      'pending undefined',
      'success 7',
      'success 7 of before',
      'success 9',
    ])
  })

  test('does not show the data of the previous parameters beside an error', async () => {
    function Wallet({ of }: { of: string }) {
      const { status, data } = useBalances({ address: of }, { placeholderData: keepPreviousData })
      return <p>{`${status} ${data?.length}`}</p>
    }
    const { rerender } = render(<Wallet of={address} />, { wrapper: provided })
    await screen.findByText('success 7')
    service.fail({ status: 401 })
    rerender(<Wallet of={other} />)
    await screen.findByText('error undefined')
  })
})
