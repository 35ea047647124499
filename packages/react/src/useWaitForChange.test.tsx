import { act, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tokenBalanceQueryOptions, type WaitForChangeSnapshot } from '@headwater/core'
import { createStage } from '../test/createStage.tsx'
import { type ClientOption, useTokenBalance, useWaitForChange } from './index.ts'

const stage = createStage()
const { service, provided } = stage
const { address } = service.wallet('everyday')
const ether = service.token('native')
const parameters = { address, tokenAddress: 'native', chainIds: [1] } as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const expectIn = ({ waitForChange }: WaitForChangeSnapshot, options = {}) =>
  waitForChange(tokenBalanceQueryOptions(stage.client, parameters), options)

test('reports the change, which other subscribers of the query receive, too', async () => {
  const { result } = renderHook(
    () => [useWaitForChange(), useTokenBalance(parameters, { refetchInterval: false })] as const,
    { wrapper: ({ children }) => <StrictMode>{provided({ children })}</StrictMode> },
  )
  await pass(1)
  const [{ status, waitForChange, cancel }] = result.current
  expect(status).toBe('idle')
  void expectIn(result.current[0])
  await pass(1)
  expect(result.current[0]).toMatchObject({ status: 'pending', error: null })
  service.setAmount(address, ether, 7n)
  await pass(1000)
  const [change, balance] = result.current
  expect(change.status).toBe('changed')
  expect(change.data).toMatchObject({ balances: [{ amount: '7' }] })
  expect(change.previous).not.toEqual(change.data)
  expect(balance.data?.balances[0]?.amount).toBe('7')
  // For the dependencies of effects and callbacks.
  expect([change.waitForChange, change.cancel]).toEqual([waitForChange, cancel])
})

test.each([
  ['timeout', { timeout: 5000 }],
  ['maxUnits', { maxUnits: 2 }],
  ['error', {}],
])('ends as %s when nothing changes', async (status, options) => {
  const { result } = renderHook(() => useWaitForChange(), { wrapper: provided })
  if (status === 'error') {
    service.fail({ status: 401 })
  }
  const ended = expectIn(result.current, options)
  await pass(60_000)
  expect(result.current.status).toBe(status)
  expect(await ended).toMatchObject({ status })
})

test('is idle again when it is cancelled', async () => {
  const { result } = renderHook(() => useWaitForChange(), { wrapper: provided })
  void expectIn(result.current)
  await pass(1)
  expect(result.current.status).toBe('pending')
  act(() => result.current.cancel())
  expect(result.current.status).toBe('idle')
})

test('is cancelled when it is unmounted', async () => {
  const { result, unmount } = renderHook(() => useWaitForChange(), { wrapper: provided })
  const ended = expectIn(result.current)
  await pass(1)
  unmount()
  await pass(1000)
  expect(await ended).toMatchObject({ status: 'idle' })
  const requested = service.requests.length
  await pass(60_000)
  expect(service.requests.length).toBe(requested)
})

test('continues while the client is the same, and is reset by another client', async () => {
  const { result, rerender } = renderHook((options: ClientOption) => useWaitForChange(options), {
    wrapper: provided,
    initialProps: {},
  })
  void expectIn(result.current)
  await pass(1)
  rerender({ client: stage.client })
  expect(result.current.status).toBe('pending')
  rerender({ client: stage.createClient() })
  expect(result.current.status).toBe('idle')
})
