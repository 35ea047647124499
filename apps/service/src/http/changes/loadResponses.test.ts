import { expect, it } from 'vitest'
import type { ChangesEvent } from '@headwater/contract'
import { createResponseLoaders } from './loadResponses.ts'

const wallets = Array.from({ length: 20 }, (_, index) => `0x${String(index).padStart(40, '0')}`)
const event: ChangesEvent = { type: 'change', chain_id: 1, wallets }

it.each([
  { bytes: 160_000, next: 0 },
  { bytes: 128_000, next: 0 },
  // 32 of 64 MB are free, which suffice for 250 unknown responses.
  { bytes: 64_000, next: 250 },
])('limits responses that are unread, here of $bytes bytes', async ({ bytes, next }) => {
  let requests = 0
  const body = JSON.stringify('x'.repeat(bytes - 2))
  const createLoader = createResponseLoaders(() => {
    requests++
    return new Response(body)
  })
  /** Loads the responses of an event for each of 30 clients, and counts them. */
  const load = async (during?: (loader: ReturnType<typeof createLoader>) => void) => {
    const before = requests
    const loaders = Array.from({ length: 30 }, () => createLoader('secret'))
    const loading = loaders.map(({ load }) => load(event))
    loaders.forEach((loader) => during?.(loader))
    await Promise.all(loading)
    return { count: requests - before, loaders }
  }
  // Clients that are gone before theirs are loaded.
  expect((await load(({ release }) => release())).count).toBe(500)
  const first = await load()
  expect(first.count).toBe(500)
  const second = await load()
  expect(second.count).toBe(next)
  for (const { release } of [...first.loaders, ...second.loaders]) {
    release()
  }
  expect((await load()).count).toBe(500)
})
