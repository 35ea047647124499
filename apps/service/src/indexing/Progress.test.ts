import { expect, it } from 'vitest'
import { Progress } from './Progress.ts'

it('tells rates of the last half minute and the time left, and not too often', () => {
  let now = 0
  const told: string[] = []
  const progress = new Progress(
    (text) => told.push(text),
    () => now,
  )
  expect(progress.report).toBeUndefined()
  progress.start(-1)
  now += 1000
  progress.reached(99, 999, 5000)
  progress.tell()
  expect(told).toEqual(['block 99 of 999 (9%), 100 blocks/s, 5000 events/s, 9 s left'])
  // Slower from now on.
  for (let second = 1; second <= 60; second++) {
    now += 1000
    progress.reached(99 + 10 * second, 999, 100)
    progress.tell()
  }
  expect(told).toHaveLength(13)
  expect(progress.report).toEqual({
    ...{ indexedBlock: 699, headBlock: 999, blocksPerSecond: 10, eventsPerSecond: 100 },
    secondsLeft: 30,
  })
})
