import { createClient, type Client } from '@headwater/core'
import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { useStream } from './useStream.ts'

interface Asked {
  readonly chainIds: number[]
  readonly refetchInterval: number
  readonly client: Client
}

test('asks the core for a stream when an argument changed, and not with each render', () => {
  const [client, other] = ['https://one.test', 'https://two.test'].map((baseUrl) =>
    createClient({ baseUrl }),
  ) as [Client, Client]
  const watch = vi.fn<(client: Client, parameters: object, options: object) => object>(() => ({}))
  const { result, rerender } = renderHook(
    ({ chainIds, ...options }: Asked) => useStream(watch, { chainIds }, options),
    { initialProps: { chainIds: [1], refetchInterval: 1000, client } },
  )
  const first = result.current
  rerender({ chainIds: [1], refetchInterval: 1000, client })
  expect(result.current).toBe(first)
  expect(watch.mock.calls).toEqual([[client, { chainIds: [1] }, { refetchInterval: 1000 }]])

  const streams = new Set([first])
  const changes = [{ chainIds: [10] }, { refetchInterval: 2000 }, { client: other }]
  for (const change of changes) {
    rerender({ chainIds: [1], refetchInterval: 1000, client, ...change })
    streams.add(result.current)
  }
  expect(streams.size).toBe(4)
})
