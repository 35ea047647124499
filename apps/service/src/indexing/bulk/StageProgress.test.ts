import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StageProgress } from './StageProgress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createProgress(readShare: () => number | undefined = () => undefined) {
  return new StageProgress({
    name: 'balances',
    number: 4,
    count: 10,
    readShare,
    onStage: () => {},
    onStep: () => {},
  })
}

const pass = (seconds: number) => vi.advanceTimersByTime(1000 * seconds)

it('reports the time that is left for the step of a table that is folded at once', () => {
  const progress = createProgress(() => 0.25)
  progress.start('folding')
  pass(10)
  expect(progress.text).toBe('bulk load, stage 4 of 10: folding balances (25%), 30 s left')
  progress.addRows(200)
  progress.start('loading')
  pass(10)
  progress.advance(50)
  expect(progress.text).toBe(
    'bulk load, stage 4 of 10: loading balances, 50 of 200 rows (25%), 30 s left',
  )
  progress.advance(150)
  progress.start('indexing')
  pass(10)
  expect(progress.text).toBe('bulk load, stage 4 of 10: indexing balances')
  progress.end()
})

it('reports the time that is left for all parts of a table', () => {
  const progress = createProgress(() => 0.5)
  progress.startParts(4)
  progress.start('folding')
  pass(60)
  // Until the first part is loaded, the time of the others is unknown.
  expect(progress.text).toBe('bulk load, stage 4 of 10: folding balances, part 1 of 4')
  progress.addRows(100)
  progress.start('loading')
  progress.start('folding')
  pass(40)
  progress.advance(100)
  expect(progress.text).toBe(
    'bulk load, stage 4 of 10: folding balances, part 2 of 4 (25%), 300 s left',
  )
  pass(20)
  progress.addRows(100)
  progress.start('loading')
  progress.start('folding')
  pass(60)
  progress.addRows(100)
  progress.start('loading')
  pass(20)
  progress.advance(50)
  // A part and a half took 200 s.
  expect(progress.text).toBe(
    'bulk load, stage 4 of 10: loading balances, part 3 of 4, 150 of 300 rows (37%), 334 s left',
  )
  progress.start('indexing')
  expect(progress.text).toBe('bulk load, stage 4 of 10: indexing balances')
  progress.end()
})
