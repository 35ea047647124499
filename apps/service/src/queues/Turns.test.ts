import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { entriesPerTurn, Turns } from './Turns.ts'

it('runs small work at once, and parts of large work in turns that are shared among accounts', async () => {
  const turns = new Turns()
  const ran: string[] = []
  const run = (account: string, entries: number) =>
    turns.run(account, entries, () => {
      ran.push(account)
      return account
    })
  const heavy = Array.from({ length: 5 }, () => run('heavy', entriesPerTurn))
  const light = run('light', entriesPerTurn)
  expect(await run('small', 10)).toBe('small')
  expect(ran).toEqual(['small'])
  expect(await light).toBe('light')
  // At most the parts that ran before it.
  expect(ran.filter((account) => account === 'heavy').length).toBeLessThan(3)
  await Promise.all(heavy)
  expect(ran.length).toBe(7)
})

it('serves other work between parts, and fails with the error of a part', async () => {
  const turns = new Turns()
  const parts = [1, 2, 3].map(() => turns.run('a', entriesPerTurn, () => {}))
  let served = 0
  const others = (async () => {
    for (; served < 3; served++) {
      await setImmediate()
    }
  })()
  const failed = turns.run('a', entriesPerTurn, () => {
    throw new Error('damaged')
  })
  await expect(failed).rejects.toThrow('damaged')
  await Promise.all(parts)
  await others
  expect(served).toBe(3)
})

/** Receives requests, by the time of a clock that they advance, and records in which order they run. */
function createReceiver() {
  let time = 0
  const turns = new Turns(() => time)
  const ran: string[] = []
  const request = async (account: string, milliseconds: number) => {
    await turns.start(account)
    time += milliseconds
    ran.push(account)
  }
  return {
    ran,
    /** As events that arrived together, each of which is processed before the next. */
    async receive(account: string, milliseconds: number) {
      const done = request(account, milliseconds)
      await new Promise<void>((resolve) => {
        queueMicrotask(() => process.nextTick(resolve))
      })
      return { done }
    },
  }
}

it('delays requests that arrived together with others of their account, while another account is active', async () => {
  const { ran, receive } = createReceiver()
  const alone = [await receive('heavy', 3), await receive('heavy', 3), await receive('heavy', 3)]
  expect(ran).toEqual(['heavy', 'heavy', 'heavy'])
  await receive('light', 0.1)
  ran.splice(0)
  await setImmediate()
  const together: { done: Promise<void> }[] = []
  for (let index = 0; index < 10; index++) {
    together.push(await receive('heavy', 3))
  }
  // The others wait for the events that arrived meanwhile, such as a request of another account.
  expect(ran).toEqual(['heavy'])
  together.push(await receive('light', 0.1))
  expect(ran).toEqual(['heavy', 'light'])
  await setImmediate()
  expect(ran.length).toBeLessThan(6)
  together.push(await receive('light', 0.1))
  expect(ran.at(-1)).toBe('light')
  await Promise.all([...alone, ...together].map(({ done }) => done))
  expect(ran.length).toBe(12)
})

it('does not delay requests of an account that has used less than its share of the time', async () => {
  const { ran, receive } = createReceiver()
  const all = [await receive('heavy', 100), await receive('light', 1)]
  await setImmediate()
  ran.splice(0)
  for (let index = 0; index < 5; index++) {
    all.push(await receive('heavy', 1))
  }
  for (let index = 0; index < 5; index++) {
    all.push(await receive('light', 1))
  }
  expect(ran).toEqual(['heavy', 'light', 'light', 'light', 'light', 'light'])
  await Promise.all(all.map(({ done }) => done))
  expect(ran.length).toBe(10)
})

it('shares the time equally among accounts that use as much as they get', async () => {
  const { ran, receive } = createReceiver()
  const all: { done: Promise<void> }[] = []
  for (let round = 0; round < 100; round++) {
    for (let index = 0; index < 10; index++) {
      all.push(await receive('a', 0.4))
    }
    for (let index = 0; index < 10; index++) {
      all.push(await receive('b', 0.1))
    }
  }
  ran.splice(0)
  while (ran.length < 200) {
    await setImmediate()
  }
  const counts = { a: 0, b: 0 }
  ran.slice(0, 200).forEach((account) => counts[account as 'a' | 'b']++)
  expect(counts.b / counts.a).toBeGreaterThan(2)
  expect(counts.b / counts.a).toBeLessThan(8)
  await Promise.all(all.map(({ done }) => done))
})

it('continues many requests one after another that waited for the same', async () => {
  const turns = new Turns()
  await turns.start('light')
  await setImmediate()
  const shared = setImmediate()
  const counts: number[] = []
  let inEvent = 0
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await shared
      await turns.resume('heavy')
      counts.push(++inEvent)
      const end = performance.now() + 3
      while (performance.now() < end) {
        // The thread is busy.
      }
      void setImmediate().then(() => (inEvent = 0))
    }),
  )
  expect(Math.max(...counts)).toBe(1)
})
