import type { Call } from '../../rpc/methods/Call.ts'
import type { PoolSample } from '../PoolHistory.ts'
import { getSqrtRatioAtTick, maxTick } from '../TickMath.ts'
import { decodeWords } from './balances.ts'
import { encodeCall } from './calls.ts'

/** Of the window. An odd number, so that as many have to be moved up as down to move their median. */
const intervals = 5

/**
 * Creates a call that returns the sums of the ticks of a pool over time, which Uniswap V3 records for as many blocks as someone
 * paid for. It reverts where these do not reach as far back as the window.
 *
 * @param seconds - of the window.
 */
export function encodeObserve(pool: string, seconds: number): Call {
  const ages = Array.from({ length: intervals + 1 }, (_, index) =>
    Math.round((seconds * (intervals - index)) / intervals),
  )
  const resultBytes = 32 * (2 * ages.length + 4)
  return { ...encodeCall(pool, 'observe(uint32[])', [32, ages.length, ...ages]), resultBytes }
}

/**
 * Decodes the mean prices of the intervals of the window.
 *
 * @param reserves - those at the block: the sums of liquidity show no more than its harmonic mean, which one block without
 *   liquidity in range ruins.
 */
export function decodeObserve(
  data: string,
  seconds: number,
  reserves: { readonly reserve0: bigint; readonly reserve1: bigint },
): PoolSample[] {
  const sums = (decodeWords(data) ?? []).map((word) => BigInt.asIntN(256, BigInt(word)))
  const { reserve0, reserve1 } = reserves
  return sums.slice(1).flatMap((sum, index) => {
    const change = Number(sum - (sums[index] ?? 0n))
    const tick = Math.floor((change * intervals) / seconds)
    return Math.abs(tick) > maxTick
      ? []
      : [
          {
            seconds: seconds / intervals,
            sqrtPrice: getSqrtRatioAtTick(tick),
            reserve0,
            reserve1,
            low0: reserve0,
            low1: reserve1,
          },
        ]
  })
}
