import { focusManager } from '@tanstack/query-core'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type Client, type ClientOptions } from '../src/client/Client.ts'
import { createClient } from '../src/client/createClient.ts'
import { watchTokenInfo } from '../src/operations/tokenInfo.ts'
import { broadcastClient } from '../src/tabs/broadcastClient.ts'
import { createFakeService, json } from './createFakeService.ts'
import { parameters, tokenInfo } from './tokenInfo.ts'

/** The API key, which messages must not contain. */
export const apiKey = 'secret-of-the-user'

/** Parameters of another token. */
export const other = { ...parameters, chainIds: [31338] as [number] }

/** Runs tabs in fake time and verifies that they leave no lock and no timer. */
export function tabsInFakeTime() {
  const service = createFakeService((count) => json(tokenInfo(count)))
  const clients: Client[] = []
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    service.reset()
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) {
      client.destroy()
    }
    focusManager.setFocused(undefined)
    await advance(50)
    expect((await navigator.locks.query()).held).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  /** A client that does not broadcast. */
  function create(options: Partial<ClientOptions>): Client {
    const { fetch } = service
    const client = createClient({ baseUrl: 'https://example.org', apiKey, fetch, ...options })
    clients.push(client)
    return client
  }

  return {
    service,
    create,
    /** A tab: a client that broadcasts. Tabs of one process share locks, channels and focus. */
    open(options: Partial<ClientOptions> = {}, group = 'tests') {
      const client = create({ ssr: false, ...options })
      return { client, stop: broadcastClient(client, { group }) }
    },
    /** Watches a price and records the displayed ones. */
    watch(client: Client, what = parameters, refetchInterval?: number) {
      const prices: (number | undefined)[] = []
      const subscription = watchTokenInfo(
        client,
        what,
        refetchInterval === undefined ? {} : { refetchInterval },
      ).subscribe(({ status, data }) => {
        if (status === 'success') {
          prices.push(data.tokens[0]?.price_usd)
        }
      })
      return { prices, subscription }
    },
  }
}

/** Advances fake time in steps, between which real messages and locks arrive. */
export async function advance(milliseconds: number) {
  for (let elapsed = 0; elapsed <= milliseconds; elapsed += 50) {
    for (let turn = 0; turn < 5; turn++) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    await vi.advanceTimersByTimeAsync(elapsed === milliseconds ? 0 : 50)
  }
}
