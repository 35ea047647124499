import { focusManager } from '@tanstack/query-core'
import { expect, it, vi } from 'vitest'
import { pass, tabsInFakeTime } from './tabsInFakeTime.ts'

const { open, watch } = tabsInFakeTime()

it('a hundred tabs that came and went leave no channel, no lock, no timer and no listener', async () => {
  const close = vi.spyOn(BroadcastChannel.prototype, 'close')
  const { client: stays } = open()
  watch(stays)
  for (let tab = 0; tab < 100; tab++) {
    const { client, stop } = open()
    const { prices, subscription } = watch(client)
    // Some leave before they know of the others.
    if (tab % 3 > 0) {
      await pass(200)
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
  await pass(200)
  // Those of the tab that is left: that it leads, and that it is there.
  expect((await navigator.locks.query()).held).toHaveLength(2)
  expect(close).toHaveBeenCalledTimes(100)
  stays.destroy()
  await pass(200)
  expect(await navigator.locks.query()).toEqual({ held: [], pending: [] })
  expect(close).toHaveBeenCalledTimes(101)
  expect(focusManager.hasListeners()).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})
