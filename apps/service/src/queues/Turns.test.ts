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
