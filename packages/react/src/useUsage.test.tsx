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
const request = (client = stage.client) => getBalances(client, { address, chainIds: [1, 8453] })

test('renders for each change of the usage only', async () => {
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
  await act(request)
  await act(request)
  service.fail({ status: 401, times: 1 })
  await act(() => request().catch(() => undefined))
  expect(seen).toEqual([0, 2, 4])
  expect(result.current).toBe(stage.client.getUsage())
  expect(result.current.byOperation).toEqual({ balances: 4 })
})

test('uses the client of the options, also when it changes, and unsubscribes when it is unmounted', async () => {
  const others = [stage.createClient(), stage.createClient()] as const
  const [first, second] = others
  await request(first)
  const { result, rerender, unmount } = renderHook(({ client }) => useUsage({ client }).spent, {
    wrapper: ({ children }) => <StrictMode>{provided({ children })}</StrictMode>,
    initialProps: { client: first },
  })
  expect(result.current).toBe(2)
  rerender({ client: second })
  expect(result.current).toBe(0)
  await act(() => request(second))
  expect(result.current).toBe(2)
  await act(() => request(first))
  expect(result.current).toBe(2)
  unmount()
  await request(second)
  expect(result.current).toBe(2)
})

test('is zero on a server', async () => {
  await request()
  const Spent = () => <p>{useUsage().spent}</p>
  expect(renderToString(provided({ children: <Spent /> }))).toBe('<p>0</p>')
  const { container } = render(<Spent />, { wrapper: provided })
  expect(container.innerHTML).toBe('<p>2</p>')
})
