import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ImageLoader } from './ImageLoader.ts'
import { UntrustedFetchError, type UntrustedFetchErrorKind } from './UntrustedFetchError.ts'

const minute = 60_000
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** A loader of one image that is refused so, while it is. */
function open(refusal: UntrustedFetchErrorKind) {
  const source = { asked: 0, askers: [] as (string | undefined)[], isAway: true }
  const images = new ImageLoader((_, { asker }) => {
    source.asked++
    source.askers.push(asker)
    return source.isAway
      ? Promise.reject(new UntrustedFetchError(refusal, 'Refused'))
      : Promise.resolve(png)
  })
  const load = () =>
    images.load('ipfs://a', '1:0xa').then(
      () => 'image',
      (error: UntrustedFetchError) => error.refusal,
    )
  return { source, load }
}

/** How many minutes pass until it is asked again. */
async function restOf({ source, load }: ReturnType<typeof open>): Promise<number> {
  const { asked } = source
  let minutes = 0
  for (; source.asked === asked && minutes < 3000; minutes++) {
    vi.advanceTimersByTime(minute)
    await load()
  }
  return minutes
}

it('asks less and less often for what takes too long', async () => {
  const opened = open('timeout')
  await opened.load()
  const rests: number[] = []
  for (let time = 0; time < 6; time++) {
    rests.push(await restOf(opened))
  }
  expect(rests).toEqual([5, 20, 80, 320, 1280, 1440])
})

it('asks soon again where another failure passes, and less often while it does not', async () => {
  const opened = open('unreachable')
  await opened.load()
  const rests: number[] = []
  for (let time = 0; time < 6; time++) {
    rests.push(await restOf(opened))
  }
  expect(rests).toEqual([1, 2, 8, 32, 60, 60])
})

it('serves what came back, and forgets that it was away', async () => {
  const { source, load } = open('timeout')
  expect([await load(), await load()]).toEqual(['timeout', 'timeout'])
  source.isAway = false
  vi.advanceTimersByTime(5 * minute)
  expect([await load(), await load()]).toEqual(['image', 'image'])
  expect(source.asked).toBe(2)
})

it('asks at once again where it was busy itself, and on behalf of who named the image', async () => {
  const { source, load } = open('busy')
  expect([await load(), await load()]).toEqual(['busy', 'busy'])
  expect(source.askers).toEqual(['1:0xa', '1:0xa'])
})
