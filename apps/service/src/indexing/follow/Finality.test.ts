import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { Finality } from './Finality.ts'

const chain = testChainConfig(1, { finality: 'finalized', finalityDepth: 10, undoDepth: 50 })
const head = { number: 100 }

describe('Finality', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('waits for nodes at first only, so that one that hangs delays no head', async () => {
    const reads: PromiseWithResolvers<number | undefined>[] = []
    const getTaggedBlock = () => {
      const read = Promise.withResolvers<number | undefined>()
      reads.push(read)
      return read.promise
    }
    const finality = new Finality(chain, { getTaggedBlock })
    const first = finality.update()
    reads[0]?.resolve(95)
    await first
    expect(finality.getFinalBlock(head)).toBe(95)

    vi.advanceTimersByTime(60_000)
    await finality.update()
    await finality.update()
    expect(reads).toHaveLength(2)
    expect(finality.getFinalBlock(head)).toBe(95)
    reads[1]?.resolve(97)
    await vi.waitFor(() => expect(finality.getFinalBlock(head)).toBe(97))

    // A read that fails, as when the indexer stops, is repeated.
    vi.advanceTimersByTime(60_000)
    await finality.update()
    reads[2]?.reject(new Error('aborted'))
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(60_000)
      await finality.update()
      expect(reads).toHaveLength(4)
    })
    expect(finality.source).toBe('finalized')
  })
})
