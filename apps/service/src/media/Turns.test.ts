import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Turns } from './Turns.ts'

const { signal } = new AbortController()

/** Asks for a turn and tells later whether it came. */
function ask(turns: Turns, key: string, stop = signal) {
  const asked = { came: false, end: () => {}, failure: undefined as unknown }
  turns.take(key, stop).then(
    (end) => Object.assign(asked, { came: true, end }),
    (failure: unknown) => Object.assign(asked, { failure }),
  )
  return asked
}

it('lets so many of one key run, and so many of all', async () => {
  const turns = new Turns({ overall: 3, perKey: 2, waiting: 10 })
  const asked = ['a', 'a', 'a', 'b', 'b'].map((key) => ask(turns, key))
  await setImmediate()
  expect(asked.map(({ came }) => came)).toEqual([true, true, false, true, false])
  asked[3]?.end()
  await setImmediate()
  // The first in line waits for its own kind, so the next one goes.
  expect(asked.map(({ came }) => came)).toEqual([true, true, false, true, true])
  asked[0]?.end()
  await setImmediate()
  expect(asked[2]?.came).toBe(true)
})

it('refuses when the line is full', async () => {
  const turns = new Turns({ overall: 1, perKey: 1, waiting: 1 })
  const [first, second, third] = ['a', 'a', 'a'].map((key) => ask(turns, key))
  await setImmediate()
  expect(third?.failure).toMatchObject({ refusal: 'busy', retryable: true })
  first?.end()
  await setImmediate()
  expect(second?.came).toBe(true)
})

it('takes out of the line who gives up', async () => {
  const turns = new Turns({ overall: 1, perKey: 1, waiting: 1 })
  const first = ask(turns, 'a')
  const stop = new AbortController()
  const second = ask(turns, 'a', stop.signal)
  stop.abort(new Error('enough'))
  await setImmediate()
  expect(second.failure).toMatchObject({ message: 'enough' })
  const third = ask(turns, 'a')
  first.end()
  await setImmediate()
  expect(third.came).toBe(true)
})
