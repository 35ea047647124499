import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { msPerMinute } from '../time.ts'
import { ImageLoader } from './ImageLoader.ts'
import { UntrustedFetchError, type UntrustedFetchErrorKind } from './UntrustedFetchError.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Creates a loader of an image whose source fails with an error of this kind while `isDown`. */
function createLoader(kind: UntrustedFetchErrorKind) {
  const source = { requests: 0, owners: [] as (string | undefined)[], isDown: true }
  const images = new ImageLoader((_, { owner }) => {
    source.requests++
    source.owners.push(owner)
    return source.isDown
      ? Promise.reject(new UntrustedFetchError(kind, 'failed'))
      : Promise.resolve(png)
  })
  const load = () =>
    images.load('ipfs://a', '1:0xa').then(
      () => 'image',
      (error: UntrustedFetchError) => error.kind,
    )
  return { source, load }
}

/** The minutes until each of the next six requests, when the image is loaded every minute. */
async function getDelays({ source, load }: ReturnType<typeof createLoader>): Promise<number[]> {
  await load()
  const delays: number[] = []
  while (delays.length < 6) {
    const { requests } = source
    let minutes = 0
    for (; source.requests === requests && minutes < 3000; minutes++) {
      vi.advanceTimersByTime(msPerMinute)
      await load()
    }
    delays.push(minutes)
  }
  return delays
}

it('retries timeouts with delays of five minutes up to a day', async () => {
  expect(await getDelays(createLoader('timeout'))).toEqual([5, 20, 80, 320, 1280, 1440])
})

it('retries other retryable errors with delays of half a minute up to an hour', async () => {
  expect(await getDelays(createLoader('unreachable'))).toEqual([1, 2, 8, 32, 60, 60])
})

it('caches errors until the retry, and images from then on', async () => {
  const { source, load } = createLoader('timeout')
  expect([await load(), await load()]).toEqual(['timeout', 'timeout'])
  source.isDown = false
  vi.advanceTimersByTime(5 * msPerMinute)
  expect([await load(), await load()]).toEqual(['image', 'image'])
  expect(source.requests).toBe(2)
})

it('does not cache `busy`, and passes the owner on', async () => {
  const { source, load } = createLoader('busy')
  expect([await load(), await load()]).toEqual(['busy', 'busy'])
  expect(source.owners).toEqual(['1:0xa', '1:0xa'])
})

it('does not depend on the wall clock, which may jump', async () => {
  const { source, load } = createLoader('timeout')
  await load()
  vi.setSystemTime(Date.now() + 24 * 60 * msPerMinute)
  await load()
  expect(source.requests).toBe(1)
  vi.setSystemTime(Date.now() - 48 * 60 * msPerMinute)
  vi.advanceTimersByTime(5 * msPerMinute)
  await load()
  expect(source.requests).toBe(2)
})
