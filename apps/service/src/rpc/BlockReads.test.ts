import { expect, it } from 'vitest'
import { testAddress } from '../../test/seedChain.ts'
import { BlockReads } from './BlockReads.ts'
import type { Call } from './methods/Call.ts'

it('executes concurrent calls at one block together, and returns to each its results', async () => {
  const executed: [string, (number | undefined)[]][] = []
  const reads = new BlockReads(({ calls }, { hash }) => {
    executed.push([hash, calls.map(({ resultBytes }) => resultBytes)])
    const results = calls.map(({ to }) => ({ status: 'success' as const, data: to }))
    return { results: Promise.resolve(results), found: Promise.resolve([]) }
  })
  const [first, second] = ['0x1', '0x2'].map((hash, number) => ({ number, hash })) as [Ref, Ref]
  const calls = (...numbers: number[]): Call[] =>
    numbers.map((number) => ({ to: testAddress(number), data: '0x' }))
  const run = async (numbers: number[], block: Ref, options = {}) => {
    const results = await reads.call(calls(...numbers), block, options)
    return results.map((result) => result.status === 'success' && BigInt(result.data))
  }
  const timeoutMs = 5_000
  const results = await Promise.all([
    run([1, 2], first, { aggregatedBytes: 32, timeoutMs }),
    run([3], first, { aggregatedBytes: 100, timeoutMs }),
    run([4], second, { aggregatedBytes: 32, timeoutMs }),
    run([5], first, { aggregatedBytes: 32, priority: 'search' }),
    run([6], first),
  ])
  expect(results).toEqual([[1n, 2n], [3n], [4n], [5n], [6n]])
  expect(executed.toSorted()).toEqual([
    ['0x1', [undefined]],
    ['0x1', [undefined]],
    ['0x1', [32, 32, 100]],
    ['0x2', [32]],
  ])
})

interface Ref {
  readonly number: number
  readonly hash: string
}
