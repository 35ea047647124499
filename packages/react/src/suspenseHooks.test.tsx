import { act, render, screen } from '@testing-library/react'
import { Component, type ReactNode, StrictMode, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStage } from '../test/createStage.tsx'
import { createSuspenseHooks } from '../test/createSuspenseHooks.ts'
import * as entry from './index.ts'

const stage = createStage()
const { service, provided } = stage

const { hooks, tokens } = createSuspenseHooks(service)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe.each(hooks)('%s', (_name, useIt, first, second) => {
  test('suspends, then never shows the data of old parameters with new ones', async () => {
    const rendered: string[] = []
    function Probe({ label, of }: { label: string; of: unknown }) {
      const { status, data } = useIt(of)
      const text = `${label} ${status} ${JSON.stringify(data)}`
      rendered.push(text)
      return <p>{text}</p>
    }
    const page = (label: string, of: unknown) => (
      <StrictMode>
        <Suspense fallback="loading">
          <Probe label={label} of={of} />
          <Probe label={label} of={of} />
        </Suspense>
      </StrictMode>
    )
    const show = async (label: string) => {
      await act(() => vi.advanceTimersByTimeAsync(500))
      const [text, ...others] = screen.getAllByText(new RegExp(`^${label} success .`))
      expect(others.map(({ textContent }) => textContent)).toEqual([text!.textContent])
      return text!.textContent
    }

    const { container, rerender } = render(page('first', first), { wrapper: provided })
    expect(container.textContent).toBe('loading')
    const ofFirst = await show('first')
    expect(service.requests).toHaveLength(1)
    rerender(page('second', second))
    const ofSecond = await show('second')
    expect(ofSecond.replace('second', 'first')).not.toBe(ofFirst)
    rerender(page('first', first))
    expect(await show('first')).toBe(ofFirst)
    expect(new Set(rendered)).toEqual(new Set([ofFirst, ofSecond]))
  })

  test('requires a client', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    function Probe() {
      return <p>{useIt(first).status}</p>
    }
    expect(() => renderToString(<Probe />)).toThrow('HeadwaterProvider')
    vi.restoreAllMocks()
  })
})

test('useSuspensePrices shows the other prices beside a token that fails', async () => {
  const unknown = { chainId: 1, address: `0x${'1'.repeat(40)}` }
  function Probe({ of }: { of: typeof tokens }) {
    const { data, errors } = entry.useSuspensePrices(of)
    const texts = data.map((tick, index) => errors[index]?.name ?? typeof tick?.price_usd)
    return <p>{texts.join(', ')}</p>
  }
  const { container } = render(
    <Suspense fallback="loading">
      <Probe of={[unknown, ...tokens]} />
    </Suspense>,
    { wrapper: provided },
  )
  expect(container.textContent).toBe('loading')
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(container.textContent).toBe('HttpError, number, number')
})

test('useSuspensePrices throws when all tokens fail', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  class Boundary extends Component<{ children: ReactNode }> {
    override state = { error: undefined as Error | undefined }
    static getDerivedStateFromError = (error: Error) => ({ error })
    override render = () => this.state.error?.name ?? this.props.children
  }
  function Probe() {
    return <p>{entry.useSuspensePrices([{ chainId: 1, address: `0x${'1'.repeat(40)}` }]).status}</p>
  }
  const { container } = render(
    <Boundary>
      <Suspense fallback="loading">
        <Probe />
      </Suspense>
    </Boundary>,
    { wrapper: provided },
  )
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(container.textContent).toBe('HttpError')
  vi.restoreAllMocks()
})
