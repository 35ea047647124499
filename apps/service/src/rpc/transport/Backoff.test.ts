import { expect, it } from 'vitest'
import { Backoff } from './Backoff.ts'

it('logs a failure that is repeated once per minute, and another one at once', async () => {
  const backoff = new Backoff(0)
  const logged: unknown[] = []
  const { signal } = new AbortController()
  const fail = (message: string) =>
    backoff.failed(new Error(message), (error) => void logged.push(error), signal)
  for (const message of ['no block 7', 'no block 8', 'bug', 'no block 9', 'bug']) {
    await fail(message)
  }
  expect(logged).toEqual([new Error('no block 7'), new Error('bug')])
  backoff.succeeded()
  await fail('bug')
  expect(logged).toHaveLength(3)
})
