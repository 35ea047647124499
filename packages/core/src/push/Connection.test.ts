import { expect, it, vi } from 'vitest'
import { CHANGES_HEADER } from '@headwater/contract'
import { clientsInFakeTime } from '../../test/clientsInFakeTime.ts'
import { responseOrigins } from '../requests/responseOrigins.ts'
import { Connection } from './Connection.ts'

clientsInFakeTime(() => fetch)

it('the code that follows changes is loaded again with a response a minute after it failed, and once', async () => {
  const listeners = new Set<Parameters<Parameters<Connection['follow']>[0]['add']>[0]>()
  const start = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  new Connection().follow(listeners, start)
  const respond = async () => {
    const response = {}
    responseOrigins.set(response, { sentAt: Date.now(), blocks: new Map() })
    listeners.forEach((listener) =>
      listener({ response, headers: new Headers({ [CHANGES_HEADER]: '/changes' }) }),
    )
    await vi.advanceTimersByTimeAsync(20_000)
    return start.mock.calls.length
  }
  expect([await respond(), await respond(), await respond()]).toEqual([1, 1, 1])
  start.mockResolvedValueOnce(undefined as never)
  expect(await respond()).toBe(2)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await respond()).toBe(2)
})
