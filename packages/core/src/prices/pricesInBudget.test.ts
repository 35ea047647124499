import { describe, expect, it, vi } from 'vitest'
import { address as wallet, numberedAddress } from '../../test/balances.ts'
import { pass } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { pricesInFakeTime, token, upTo } from '../../test/pricesInFakeTime.ts'
import { watchBalances } from '../operations/balances.ts'
import { getTokenBalance } from '../operations/tokenBalance.ts'

const kit = pricesInFakeTime()
const { create, operations, watch } = kit

/** Has every answer take so long, and gives the times when single prices were asked for. */
function takeTime(milliseconds: number): number[] {
  const times: number[] = []
  kit.service.delay = ({ operation }) => {
    if (operation === 'tokenBalance') {
      times.push(Date.now())
    }
    return milliseconds
  }
  return times
}

/** How many were at most in any minute. */
const mostAMinute = (times: readonly number[]) =>
  Math.max(...times.map((end) => times.filter((at) => at > end - 60_000 && at <= end).length))

describe('polls of prices within a budget', () => {
  it.each([0, 300])(
    'fill four fifths of a minute, in turn, and show no error, when an answer takes %i ms',
    async (delay) => {
      const times = takeTime(delay)
      const client = create()
      const streams = upTo(40).map((each) => watch(client, token(each)))
      await pass(61_000)
      const onExhausted = vi.fn()
      client.setBudget({ perMinute: 30, onExhausted })
      const { length } = times
      await pass(600_000)
      expect(mostAMinute(times.slice(length))).toBe(24)
      expect(times.length - length).toBeGreaterThan(200)
      expect(streams.flatMap(({ seen }) => seen).filter(({ error }) => error)).toEqual([])
      expect(onExhausted).not.toHaveBeenCalled()
      const counts = upTo(40).map(
        (each) =>
          kit.service.asked
            .slice(length)
            .filter(({ tokens }) => tokens[0]?.endsWith(numberedAddress(each))).length,
      )
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    },
  )

  it('leave room for what the user asks, which a budget that is full does not hold to a share', async () => {
    const client = create()
    const streams = upTo(40).map((each) => watch(client, token(each)))
    await pass(61_000)
    client.setBudget({ perMinute: 30 })
    await pass(60_000)
    const of = { address: wallet, tokenAddress: numberedAddress(50), chainIds: [1] } as const
    for (let time = 0; time < 30; time++) {
      await pass(20_000)
      await getTokenBalance(client, of)
    }
    const { length } = kit.service.asked
    await Promise.all([streams[0]?.seen.at(-1)?.refetch(), pass(0)])
    expect(kit.service.asked).toHaveLength(length + 1)
  })

  it('stay within their share when what told all of them together ends', async () => {
    kit.hold(upTo(40))
    const client = create()
    const subscription = watchBalances(client, { address: wallet, chainIds: [1] }).subscribe()
    await pass(0)
    const streams = upTo(40).map((each) => watch(client, token(each)))
    await pass(121_000)
    expect(operations()).not.toContain('tokenBalance')
    client.setBudget({ perMinute: 30 })
    kit.service.instead = ({ operation }) =>
      operation === 'balances' ? json({ error: 'No' }, { status: 404 }) : undefined
    subscription.unsubscribe()
    const times = takeTime(0)
    await pass(300_000)
    expect(mostAMinute(times)).toBeLessThanOrEqual(24)
    expect(times.length).toBeGreaterThan(90)
    expect(streams.flatMap(({ seen }) => seen).filter(({ error }) => error)).toEqual([])
  })

  it('do not hide that the service fails', async () => {
    const client = create()
    const { seen } = watch(client)
    await pass(0)
    client.setBudget({ perMinute: 2 })
    kit.service.instead = () => json({ error: 'No' }, { status: 503 })
    await pass(120_000)
    expect(seen.at(-1)).toMatchObject({ status: 'error', data: { price_usd: 1 } })
  })
})
