import { describe, expect, it, vi } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { setBudget } from '../budget/setBudget.ts'
import { watchBalances } from '../operations/balances.ts'
import { getTokenBalance } from '../operations/tokenBalance.ts'

const kit = pricesInFakeTime()
const { create, operations, watch } = kit

/** Delays each response and returns the times of requests for single prices. */
function recordTimes(milliseconds: number): number[] {
  const times: number[] = []
  kit.service.delay = ({ operation }) => {
    if (operation === 'tokenBalance') {
      times.push(Date.now())
    }
    return milliseconds
  }
  return times
}

/** The largest number within any minute. */
const maxPerMinute = (times: readonly number[]) =>
  Math.max(...times.map((end) => times.filter((at) => at > end - 60_000 && at <= end).length))

describe('polls of prices within a budget', () => {
  it.each([0, 300])(
    'use four fifths of a minute, in rotation and without errors, when a response takes %i ms',
    async (delay) => {
      const times = recordTimes(delay)
      const client = create()
      const streams = upTo(40).map((each) => watch(client, token(each)))
      await advance(61_000)
      const onExhausted = vi.fn()
      setBudget(client, { perMinute: 30, onExhausted })
      const { length } = times
      await advance(300_000)
      expect(maxPerMinute(times.slice(length))).toBe(24)
      expect(times.length - length).toBeGreaterThan(80)
      expect(streams.flatMap(({ emitted }) => emitted).filter(({ error }) => error)).toEqual([])
      expect(onExhausted).not.toHaveBeenCalled()
      const counts = upTo(40).map(
        (each) =>
          kit.service.requests
            .slice(length)
            .filter(({ tokens }) => tokens[0]?.endsWith(numberedAddress(each))).length,
      )
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    },
  )

  it('leave room for requests of the user', async () => {
    const client = create()
    const streams = upTo(40).map((each) => watch(client, token(each)))
    await advance(61_000)
    setBudget(client, { perMinute: 30 })
    await advance(60_000)
    const of = { address: wallet, tokenAddress: numberedAddress(50), chainIds: [1] } as const
    for (let time = 0; time < 9; time++) {
      await advance(20_000)
      await getTokenBalance(client, of)
    }
    const { length } = kit.service.requests
    await Promise.all([streams[0]?.emitted.at(-1)?.refetch(), advance(0)])
    expect(kit.service.requests).toHaveLength(length + 1)
  })

  it('stay within their share when the wallet that contained all of them fails', async () => {
    kit.hold(upTo(40))
    const client = create()
    const subscription = watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await advance(0)
    const streams = upTo(40).map((each) => watch(client, token(each)))
    await advance(121_000)
    expect(operations()).not.toContain('tokenBalance')
    setBudget(client, { perMinute: 30 })
    kit.service.override = ({ operation }) =>
      operation === 'balances' ? json({ error: 'No' }, { status: 404 }) : undefined
    subscription.unsubscribe()
    const times = recordTimes(0)
    await advance(300_000)
    expect(maxPerMinute(times)).toBeLessThanOrEqual(24)
    expect(times.length).toBeGreaterThan(90)
    expect(streams.flatMap(({ emitted }) => emitted).filter(({ error }) => error)).toEqual([])
  })

  it('do not hide errors of the service', async () => {
    const client = create()
    const { emitted } = watch(client)
    await advance(0)
    setBudget(client, { perMinute: 2 })
    kit.service.override = () => json({ error: 'No' }, { status: 503 })
    await advance(120_000)
    expect(emitted.at(-1)).toMatchObject({ status: 'error', data: { price_usd: 1 } })
  })
})
