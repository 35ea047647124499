import { act, render, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { getBalances } from '@headwater/core'
import { createStage } from '../test/createStage.tsx'
import { useUsage } from './index.ts'

const stage = createStage()
const { service, provided } = stage
const { address } = service.wallet('everyday')
const ask = (client = stage.client) => getBalances(client, { address, chainIds: [1, 8453] })

test('tells at once of what is spent, and renders for nothing else', async () => {
  const seen: number[] = []
  const { result } = renderHook(
    () => {
      const usage = useUsage()
      seen.push(usage.spent)
      return usage
    },
    { wrapper: provided },
  )
  expect(result.current).toEqual({ spent: 0, byOperation: {}, byMinute: [], remaining: undefined })
  await act(ask)
  await act(ask)
  service.fail({ status: 401, times: 1 })
  await act(() => ask().catch(() => undefined))
  expect(seen).toEqual([0, 2, 4])
  expect(result.current).toBe(stage.client.getUsage())
  expect(result.current.byOperation).toEqual({ balances: 4 })
})

test('is of the client in the options, also when that changes, and listens no more when unmounted', async () => {
  const others = [stage.createClient(), stage.createClient()] as const
  const [first, second] = others
  await ask(first)
  const { result, rerender, unmount } = renderHook(({ client }) => useUsage({ client }).spent, {
    wrapper: ({ children }) => <StrictMode>{provided({ children })}</StrictMode>,
    initialProps: { client: first },
  })
  expect(result.current).toBe(2)
  rerender({ client: second })
  expect(result.current).toBe(0)
  await act(() => ask(second))
  expect(result.current).toBe(2)
  await act(() => ask(first))
  expect(result.current).toBe(2)
  unmount()
  await ask(second)
  expect(result.current).toBe(2)
})

test('begins with nothing spent in a page of a server', async () => {
  await ask()
  const Spent = () => <p>{useUsage().spent}</p>
  expect(renderToString(provided({ children: <Spent /> }))).toBe('<p>0</p>')
  const { container } = render(<Spent />, { wrapper: provided })
  expect(container.innerHTML).toBe('<p>2</p>')
})
