import { type Hex, hexToNumber, numberToHex, type RpcLog } from 'viem'
import type { DevnetChain } from '@headwater/devnet'
import { PoolReplay, type ReplayedPool } from './replayPools.ts'

/** The price of a token in USD, its liquidity and its first pool. */
export interface ReplayedPrice {
  readonly price: number
  /** Infinity for a stablecoin without a pool. */
  readonly depth: number
  readonly pool: string | undefined
}

/** A pair of a pool at a block: the lower of its reserves now and in the window, those in the window, and its guarded price. */
interface Guarded {
  readonly address: string
  readonly token0: string
  readonly token1: string
  readonly reserve0: number
  readonly reserve1: number
  readonly past0: number
  readonly past1: number
  readonly price: number
}

interface Route extends ReplayedPrice {
  readonly passed: readonly string[]
}

interface Quote extends Route {
  readonly leg: number
  /** The depth in the window, and at most 1.4 times the value of the reserve of the token. */
  readonly pastDepth: number
  readonly weight: number
}

/**
 * Replays the events of all pools of a devnet chain in floating point, independently of the service.
 *
 * @returns a function that prices all tokens at a block, by the rules of `docs/decisions/0036-routes.md`.
 */
export async function replayPrices(chain: DevnetChain) {
  const times = await readTimes(chain)
  const logs = await chain.rpc.call<RpcLog[]>('eth_getLogs', {
    fromBlock: '0x0',
    toBlock: 'latest',
  })
  const pools = await new PoolReplay(chain, times).run(logs)
  const stablecoins = chain.config.stablecoins.map((address) => {
    // A token is known from its first event on.
    const first = logs.find((log) => log.address.toLowerCase() === address.toLowerCase())
    return { address: address.toLowerCase(), first: Number(first?.blockNumber ?? Infinity) }
  })
  return (block: number, windowMinutes: number) => {
    const guarded = pools.flatMap((pool) => guard(pool, block, times, windowMinutes * 60))
    const known = stablecoins.filter(({ first }) => first <= block)
    return priceTokens(
      guarded,
      known.map(({ address }) => address),
      chain,
    )
  }
}

async function readTimes({ rpc }: DevnetChain): Promise<number[]> {
  const head = hexToNumber(await rpc.call<Hex>('eth_blockNumber'))
  const blocks = await rpc.batch(
    Array.from({ length: head + 1 }, (_, number) => {
      return ['eth_getBlockByNumber', [numberToHex(number), false]] as const
    }),
  )
  return blocks.map((block) => hexToNumber((block as unknown as { timestamp: Hex }).timestamp))
}

/** The lowest value that was in force, with those below it, for half of the time. */
function medianOf(values: readonly { value: number; seconds: number }[]): number {
  const half = values.reduce((sum, { seconds }) => sum + seconds, 0) / 2
  let sum = 0
  for (const { value, seconds } of values.toSorted((a, b) => a.value - b.value)) {
    sum += seconds
    if (seconds > 0 && sum >= half) {
      return value
    }
  }
  return NaN
}

/** All pairs of a pool, unless it is young. */
function guard(
  pool: ReplayedPool,
  block: number,
  times: readonly number[],
  window: number,
): Guarded[] {
  const from = (times[block] ?? NaN) - window
  if ((times[pool.block] ?? Infinity) > from) {
    return []
  }
  return pool.tokens.flatMap((token0, index0) =>
    pool.tokens.slice(index0 + 1).flatMap((token1, index) => {
      const states = pool.states.map(({ time, block, reserves, prices }) => {
        const index1 = index0 + 1 + index
        const reserve0 = reserves[index0] ?? NaN
        const reserve1 = reserves[index1] ?? NaN
        return { time, block, reserve0, reserve1, price: prices[index0]! / prices[index1]! }
      })
      const guarded = guardPair(states, block, times[block] ?? NaN, from)
      return guarded ? [{ address: pool.address, token0, token1, ...guarded }] : []
    }),
  )
}

/** A state of a pair, with the price of token 0 in token 1. */
interface PairState extends Pick<Guarded, 'reserve0' | 'reserve1' | 'price'> {
  readonly time: number
  readonly block: number
}

function guardPair(
  states: readonly PairState[],
  block: number,
  until: number,
  from: number,
): Omit<Guarded, 'address' | 'token0' | 'token1'> | undefined {
  const current = states.findLast((state) => state.block <= block)
  if (!current) {
    return undefined
  }
  const inWindow = states.filter(({ time, block: at }) => time > from && at <= block)
  const before = states.findLast(({ time }) => time <= from)
  if (inWindow.length === 0) {
    return { ...current, past0: current.reserve0, past1: current.reserve1 }
  }
  const timed = [
    ...(before
      ? [{ ...before, time: from }]
      : [{ time: from, block: -1, reserve0: 0, reserve1: 0, price: NaN }]),
    ...inWindow,
  ].map((state, index, all) => ({
    state,
    seconds: (all[index + 1]?.time ?? until) - state.time,
  }))
  // All states within twelve seconds count as the longest of them. Unless it was in force for longer than that, their
  // lowest reserves count.
  const samples = [...Map.groupBy(timed, ({ state }) => Math.floor(state.time / 12)).values()].map(
    (group) => {
      const longest = group.toSorted(
        (a, b) => b.seconds - a.seconds || b.state.block - a.state.block,
      )[0]!
      const lowest = longest.seconds < 12 ? group : [longest]
      return {
        seconds: group.reduce((sum, { seconds }) => sum + seconds, 0),
        price: longest.state.price,
        low0: Math.min(...lowest.map(({ state }) => state.reserve0)),
        low1: Math.min(...lowest.map(({ state }) => state.reserve1)),
      }
    },
  )
  const low0 = medianOf(samples.map(({ low0, seconds }) => ({ value: low0, seconds })))
  const low1 = medianOf(samples.map(({ low1, seconds }) => ({ value: low1, seconds })))
  // Seconds in which the pool could be traded with as usual.
  const median = medianOf(
    samples
      .filter(({ price }) => Number.isFinite(price))
      .map((sample) => {
        const share = Math.min(1, (sample.low0 * sample.low1) / (low0 * low1))
        return { value: sample.price, seconds: sample.seconds * share }
      }),
  )
  // In token 1. Both sides count as far as they were there together.
  const lowerSide = medianOf(
    samples.map(({ low0, low1, price, seconds }) => {
      return { value: Number.isFinite(price) ? Math.min(low0 * price, low1) : 0, seconds }
    }),
  )
  const share = Math.min(1, lowerSide / Math.min(low0 * median, low1))
  const past0 = share > 0 ? low0 * share : 0
  const past1 = share > 0 ? low1 * share : 0
  return {
    reserve0: Math.min(current.reserve0, past0),
    reserve1: Math.min(current.reserve1, past1),
    past0,
    past1,
    // The price of the other token is bounded as well.
    price:
      median > 0 ? Math.min(Math.max(current.price, median / 1.01), median * 1.01) : current.price,
  }
}

/** Prices all tokens of guarded pools. The stablecoins of a devnet keep their peg. */
function priceTokens(
  pools: readonly Guarded[],
  stablecoins: readonly string[],
  { config }: DevnetChain,
): Map<string, ReplayedPrice> {
  const quoteTokens = [...stablecoins, config.wrappedNative.toLowerCase()]
  const known = new Map<string, Route>(
    stablecoins.map((token) => [
      token,
      { price: 1, depth: Infinity, pool: undefined, passed: [token] },
    ]),
  )
  const quotesOf = (token: string, legs: number, of: readonly Guarded[]): Quote[] =>
    of.flatMap(({ address, token0, token1, reserve0, reserve1, past0, past1, price }) => {
      if (token !== token0 && token !== token1) {
        return []
      }
      const [other, own, others, units] =
        token === token0
          ? [token1, reserve0, reserve1, price]
          : [token0, reserve1, reserve0, 1 / price]
      const route = findRoute(other, legs - 1, of)
      const isOneSided = own * units * 20 < others
      if (!route || route.passed.includes(token) || !(own > 0) || !(others > 0) || isOneSided) {
        return []
      }
      const leg = others * route.price
      const depth = Math.min(leg, route.depth)
      const [ownPast, othersPast] = token === token0 ? [past0, past1] : [past1, past0]
      const pastDepth = Math.min(othersPast * route.price, route.depth)
      const weight = Math.min(pastDepth, 1.4 * ownPast * units * route.price)
      return [
        {
          price: units * route.price,
          leg,
          depth,
          pastDepth,
          weight,
          pool: address,
          passed: [token, ...route.passed],
        },
      ]
    })
  const findRoute = (token: string, legs: number, of: readonly Guarded[]): Route | undefined => {
    const found = known.get(token)
    if (found ?? legs === 0) {
      return found && found.passed.length - 1 <= legs ? found : undefined
    }
    const quotes = quotesOf(token, legs, of)
    // Pools with quote tokens count alone, unless others hold a hundred times their depth of the token.
    const preferred = quotes.filter(({ passed }) => quoteTokens.includes(passed[1] ?? ''))
    const selected = of === pools ? selectRoute(preferred) : undefined
    const held = of.map(({ token0, token1, past0, past1 }) => {
      const [own, other] = token === token0 ? [past0, token1] : [past1, token0]
      return (token === token0 || token === token1) && !quoteTokens.includes(other) ? own : 0
    })
    const isPreferred = selected && Math.max(...held) * selected.price <= 100 * selected.pastDepth
    return isPreferred ? selected : selectRoute(quotes)
  }
  const selectRoute = (quotes: readonly Quote[]): (Route & { pastDepth: number }) | undefined => {
    const sorted = quotes.toSorted(
      (a, b) => b.depth - a.depth || b.leg - a.leg || ((a.pool ?? '') < (b.pool ?? '') ? -1 : 1),
    )
    const byWeight = sorted.toSorted((a, b) => b.weight - a.weight)
    // One pair of each pool.
    const first = [...Map.groupBy(byWeight, ({ pool }) => pool).values()]
      .map(([ofPool]) => ofPool!)
      .slice(0, 3)
    const median = medianOf(first.map(({ price, weight }) => ({ value: price, seconds: weight })))
    const agreeing = sorted.filter(
      (quote) => first.includes(quote) && !(Math.abs(quote.price - median) > median * 0.02),
    )
    const [deepest] = agreeing
    const selected = first.find(({ price }) => price === median)
    const pastDepth = Math.max(...agreeing.map((quote) => quote.pastDepth))
    return selected && deepest && { ...selected, depth: deepest.depth, pastDepth }
  }
  const quotePools = pools.filter(
    ({ token0, token1 }) => quoteTokens.includes(token0) && quoteTokens.includes(token1),
  )
  const native = quoteTokens.at(-1) ?? ''
  const nativeRoute = findRoute(native, 3, quotePools)
  if (nativeRoute) {
    known.set(native, nativeRoute)
  }
  const prices = new Map<string, ReplayedPrice>()
  for (const token of new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))) {
    const route = findRoute(token, 4, pools)
    if (route) {
      prices.set(token, route)
    }
  }
  for (const token of stablecoins) {
    const sides = quotePools.flatMap(({ token0, token1, reserve0, reserve1 }) => {
      const other = token === token0 ? token1 : token === token1 ? token0 : undefined
      const route = other === undefined ? undefined : known.get(other)
      const leg = (route?.price ?? 0) * (token === token0 ? reserve1 : reserve0)
      return route && leg > 0 ? [Math.min(leg, route.depth)] : []
    })
    const depth = sides.length > 0 ? Math.max(...sides) : Infinity
    prices.set(token, { price: 1, depth, pool: undefined })
  }
  return prices
}
