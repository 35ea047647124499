import { expect, it } from 'vitest'
import { Progress } from './Progress.ts'

it('logs rates of the last half minute and the remaining time, at most every five seconds', () => {
  let now = 0
  const logged: string[] = []
  const progress = new Progress(
    (text) => logged.push(text),
    () => now,
  )
  expect(progress.report).toBeUndefined()
  progress.start(-1)
  now += 1000
  progress.advance(99, 999, 5000)
  progress.log()
  expect(logged).toEqual(['block 99 of 999 (9%), 100 blocks/s, 5000 events/s, 9 s left'])
  // At a tenth of the rate.
  for (let second = 1; second <= 60; second++) {
    now += 1000
    progress.advance(99 + 10 * second, 999, 100)
    progress.log()
  }
  expect(logged).toHaveLength(13)
  expect(progress.report).toEqual({
    indexedBlock: 699,
    headBlock: 999,
    blocksPerSecond: 10,
    eventsPerSecond: 100,
    secondsLeft: 30,
  })
})
