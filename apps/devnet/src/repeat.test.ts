import { expect, test } from 'vitest'
import { repeat } from './repeat.ts'

test('repeats a task, counts consecutive failures, and stops', async () => {
  const seen: string[] = []
  let runs = 0
  await new Promise<void>((resolve) => {
    const end = repeat(
      () => {
        runs++
        seen.push(`run ${runs}`)
        if (runs === 6) {
          end()
          resolve()
        }
        return [2, 3, 5].includes(runs) ? Promise.reject(new Error('no')) : Promise.resolve()
      },
      {
        pause: () => 0,
        onError: (_, failures) => seen.push(`failure ${failures}`),
      },
    )
  })
  // Long enough for another run.
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(seen).toEqual([
    'run 1',
    'run 2',
    'failure 1',
    'run 3',
    'failure 2',
    'run 4',
    'run 5',
    'failure 1',
    'run 6',
  ])
})
