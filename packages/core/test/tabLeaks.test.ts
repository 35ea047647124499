import { focusManager } from '@tanstack/query-core'
import { expect, it, vi } from 'vitest'
import { advance, tabsInFakeTime } from './tabsInFakeTime.ts'

const { open, watch } = tabsInFakeTime()

it('a hundred destroyed tabs leave no channel, lock, timer or listener', async () => {
  const close = vi.spyOn(BroadcastChannel.prototype, 'close')
  const { client: remaining } = open()
  watch(remaining)
  for (let tab = 0; tab < 100; tab++) {
    const { client, stop } = open()
    const { prices, subscription } = watch(client)
    // Some are destroyed before they received a message.
    if (tab % 3 > 0) {
      await advance(200)
    }
    if (tab % 3 > 0) {
      expect(prices).not.toEqual([])
    }
    if (tab % 2 === 0) {
      stop()
    }
    subscription.unsubscribe()
    client.destroy()
  }
  await advance(200)
  // The remaining tab holds the lock of the leader and its own.
  expect((await navigator.locks.query()).held).toHaveLength(2)
  expect(close).toHaveBeenCalledTimes(100)
  remaining.destroy()
  await advance(200)
  expect(await navigator.locks.query()).toEqual({ held: [], pending: [] })
  expect(close).toHaveBeenCalledTimes(101)
  expect(focusManager.hasListeners()).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})
