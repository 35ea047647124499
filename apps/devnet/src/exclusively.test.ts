import { expect, test } from 'vitest'
import { exclusively } from './exclusively.ts'

test('tasks run one at a time, and a failed task does not affect the others', async () => {
  const run = exclusively()
  const seen: string[] = []
  const slow = run(async () => {
    seen.push('slow starts')
    await new Promise((resolve) => setImmediate(resolve))
    seen.push('slow ends')
  })
  const failing = run(() => Promise.reject(new Error('no')))
  const last = run(() => Promise.resolve(seen.push('last')))
  await expect(failing).rejects.toThrow('no')
  await Promise.all([slow, last])
  expect(seen).toEqual(['slow starts', 'slow ends', 'last'])
})
