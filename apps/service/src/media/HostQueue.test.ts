import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { HostQueue } from './HostQueue.ts'

const { signal } = new AbortController()

/** Asks for a turn and tells later whether it came. */
function ask(
  turns: HostQueue,
  host: string,
  stop = signal,
  rest: { most?: number; asker?: string } = {},
) {
  const asked = { came: false, end: () => {}, failure: undefined as unknown }
  turns.take({ host, ...rest }, stop).then(
    (end) => Object.assign(asked, { came: true, end }),
    (failure: unknown) => Object.assign(asked, { failure }),
  )
  return asked
}

it('lets so many of one host run, and so many of all', async () => {
  const turns = new HostQueue({ overall: 3, perHost: 2, perAsker: 9, waiting: 10 })
  const asked = ['a', 'a', 'a', 'b', 'b'].map((host) => ask(turns, host))
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
  const turns = new HostQueue({ overall: 1, perHost: 1, perAsker: 9, waiting: 1 })
  const [first, second, third] = ['a', 'a', 'a'].map((host) => ask(turns, host))
  await setImmediate()
  expect(third?.failure).toMatchObject({ refusal: 'busy', retryable: true })
  first?.end()
  await setImmediate()
  expect(second?.came).toBe(true)
})

it('takes out of the line who gives up', async () => {
  const turns = new HostQueue({ overall: 1, perHost: 1, perAsker: 9, waiting: 1 })
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

it('keeps half of the line for others', async () => {
  const turns = new HostQueue({ overall: 1, perHost: 1, perAsker: 1, waiting: 4 })
  const asked = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((asker) =>
    ask(turns, 'gateway', signal, { asker }),
  )
  await setImmediate()
  const refused = asked.map(({ failure }) => failure !== undefined)
  expect(refused).toEqual([false, false, false, true, false, false, true])
})

it('lets more of one host run where it is said that it bears them', async () => {
  const turns = new HostQueue({ overall: 9, perHost: 1, perAsker: 9, waiting: 10 })
  const asked = Array.from({ length: 4 }, () => ask(turns, 'gateway', signal, { most: 3 }))
  await setImmediate()
  expect(asked.map(({ came }) => came)).toEqual([true, true, true, false])
})

it('lets nobody have more than a share, and calls first who has the fewest', async () => {
  const turns = new HostQueue({ overall: 4, perHost: 4, perAsker: 3, waiting: 10 })
  const greedy = Array.from({ length: 5 }, () => ask(turns, 'gateway', signal, { asker: 'greedy' }))
  const [first, second, third] = ['other', 'other', 'third'].map((asker) =>
    ask(turns, 'gateway', signal, { asker }),
  )
  await setImmediate()
  expect(greedy.map(({ came }) => came)).toEqual([true, true, true, false, false])
  expect([first?.came, second?.came, third?.came]).toEqual([true, false, false])
  greedy[0]?.end()
  await setImmediate()
  expect([greedy[3]?.came, second?.came, third?.came]).toEqual([false, false, true])
  greedy[1]?.end()
  await setImmediate()
  // Both have one, and the line decides.
  expect([greedy[3]?.came, second?.came]).toEqual([true, false])
})
