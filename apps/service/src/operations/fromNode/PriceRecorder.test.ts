import { expect, it, onTestFinished, vi } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { msPerMinute } from '../../time.ts'
import { PriceRecorder } from './PriceRecorder.ts'

it('does not start a recording while another one is in progress, and waits for it when it is closed', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const chain = testChainConfig(7)
  const options = { chain, logger: { warn: expect.unreachable }, db: undefined }
  const pending: (() => void)[] = []
  const findHead = () =>
    new Promise<undefined>((resolve) => {
      pending.push(() => resolve(undefined))
    })
  const recorder = new PriceRecorder(options as never, {} as never, {} as never, findHead)
  recorder.watch([{ chain, address: testAddress(1), decimals: 18, name: 'a', symbol: 'a' }])
  const intervalMs = chain.priceHistory.bucketMinutes * msPerMinute
  await vi.advanceTimersByTimeAsync(3 * intervalMs)
  expect(pending).toHaveLength(1)
  pending[0]?.()
  await vi.advanceTimersByTimeAsync(intervalMs)
  expect(pending).toHaveLength(2)

  let isClosed = false
  const closing = recorder.close().then(() => (isClosed = true))
  await vi.advanceTimersByTimeAsync(2 * intervalMs)
  expect([isClosed, pending.length]).toEqual([false, 2])
  pending[1]?.()
  await closing
})
