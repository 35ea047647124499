import { type Hex, hexToNumber, numberToHex, parseAbi, parseEventLogs, type RpcLog } from 'viem'
import type { DevnetChain } from '@headwater/devnet'

const abi = parseAbi([
  'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 length)',
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  'event Sync(uint112 reserve0, uint112 reserve1)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
])

/** A state of a pool in whole tokens, with the price of token 0 in token 1. */
interface State {
  readonly time: number
  readonly block: number
  readonly reserve0: number
  readonly reserve1: number
  readonly price: number
}

interface ReplayedPool {
  readonly address: string
  readonly token0: string
  readonly token1: string
  readonly block: number
  readonly states: State[]
}

/** The price of a token in USD, its liquidity and its first pool. */
export interface ReplayedPrice {
  readonly price: number
  /** Infinity for a stablecoin without a pool. */
  readonly depth: number
  readonly pool: string | undefined
}

/** A pool at a block: the lower of its reserves now and in the window, and its guarded price. */
interface Guarded extends Pick<ReplayedPool, 'address' | 'token0' | 'token1'> {
  readonly reserve0: number
  readonly reserve1: number
  readonly price: number
}

interface Route extends ReplayedPrice {
  readonly passed: readonly string[]
}

interface Quote extends Route {
  readonly leg: number
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
  const pools = replayPools(chain, logs, times)
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

function replayPools(
  chain: DevnetChain,
  logs: readonly RpcLog[],
  times: readonly number[],
): ReplayedPool[] {
  const decimals = new Map(
    chain.tokens.map((token) => [token.address.toLowerCase(), token.decimals]),
  )
  const { uniswapV2Factories, uniswapV3Factories } = chain.config
  const factories = [...uniswapV2Factories, ...uniswapV3Factories].map((each) => each.toLowerCase())
  const pools = new Map<string, ReplayedPool>()
  const live = new Map<string, { root: number; positions: Map<string, [number, number, number]> }>()
  for (const log of parseEventLogs({ abi, logs: logs as never })) {
    const [address, block] = [log.address.toLowerCase(), Number(log.blockNumber)]
    const { eventName, args } = log
    if (eventName === 'PairCreated' || eventName === 'PoolCreated') {
      if (factories.includes(address)) {
        const created = (eventName === 'PairCreated' ? args.pair : args.pool).toLowerCase()
        const [token0, token1] = [args.token0.toLowerCase(), args.token1.toLowerCase()]
        pools.set(created, { address: created, token0, token1, block, states: [] })
      }
      continue
    }
    const pool = pools.get(address)
    if (!pool) {
      continue
    }
    const [unit0, unit1] = [
      10 ** (decimals.get(pool.token0) ?? 18),
      10 ** (decimals.get(pool.token1) ?? 18),
    ]
    const push = (reserve0: number, reserve1: number, price: number) => {
      // The last state of a block counts.
      if (pool.states.at(-1)?.block === block) {
        pool.states.pop()
      }
      pool.states.push({ time: times[block] ?? NaN, block, reserve0, reserve1, price })
    }
    if (eventName === 'Sync') {
      const [reserve0, reserve1] = [Number(args.reserve0) / unit0, Number(args.reserve1) / unit1]
      push(reserve0, reserve1, reserve1 / reserve0)
      continue
    }
    const state = live.get(address) ?? { root: 0, positions: new Map() }
    live.set(address, state)
    if (eventName === 'Mint' || eventName === 'Burn') {
      const { tickLower, tickUpper } = args
      const key = `${tickLower} ${tickUpper}`
      const [, , before] = state.positions.get(key) ?? [0, 0, 0]
      const amount = Number(args.amount) * (eventName === 'Mint' ? 1 : -1)
      state.positions.set(key, [tickLower, tickUpper, before + amount])
    } else {
      state.root = Number(args.sqrtPriceX96) / 2 ** 96
    }
    let [amount0, amount1] = [0, 0]
    for (const [tickLower, tickUpper, liquidity] of state.positions.values()) {
      const [low, high] = [1.0001 ** (tickLower / 2), 1.0001 ** (tickUpper / 2)]
      if (low <= state.root && state.root < high) {
        amount0 += liquidity * (1 / state.root - 1 / high)
        amount1 += liquidity * (state.root - low)
      }
    }
    push(amount0 / unit0, amount1 / unit1, (state.root ** 2 * unit0) / unit1)
  }
  return [...pools.values()]
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

function guard(
  { states, ...pool }: ReplayedPool,
  block: number,
  times: readonly number[],
  window: number,
): Guarded[] {
  const until = times[block] ?? NaN
  const from = until - window
  const current = states.findLast((state) => state.block <= block)
  if (!current || (times[pool.block] ?? Infinity) > from) {
    return []
  }
  const inWindow = states.filter(({ time, block: at }) => time > from && at <= block)
  const before = states.findLast(({ time }) => time <= from)
  if (inWindow.length === 0) {
    return [{ ...pool, ...current }]
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
  const median = medianOf(
    samples
      .filter(({ price }) => Number.isFinite(price))
      .map(({ price, seconds }) => ({ value: price, seconds })),
  )
  const low0 = medianOf(samples.map(({ low0, seconds }) => ({ value: low0, seconds })))
  const low1 = medianOf(samples.map(({ low1, seconds }) => ({ value: low1, seconds })))
  const isNear = !(Math.abs(current.price - median) > median * 0.02)
  return [
    {
      ...pool,
      reserve0: Math.min(current.reserve0, low0),
      reserve1: Math.min(current.reserve1, low1),
      price: isNear ? current.price : median,
    },
  ]
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
    of.flatMap(({ address, token0, token1, reserve0, reserve1, price }) => {
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
      return [
        {
          ...{ price: units * route.price, leg, depth: Math.min(leg, route.depth) },
          ...{ pool: address, passed: [token, ...route.passed] },
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
    const held = of.map(({ token0, token1, reserve0, reserve1 }) => {
      const [own, other] = token === token0 ? [reserve0, token1] : [reserve1, token0]
      return (token === token0 || token === token1) && !quoteTokens.includes(other) ? own : 0
    })
    const isPreferred = selected && Math.max(...held) * selected.price <= 100 * selected.depth
    return isPreferred ? selected : selectRoute(quotes)
  }
  const selectRoute = (quotes: readonly Quote[]): Route | undefined => {
    const deepest = quotes
      .toSorted(
        (a, b) => b.depth - a.depth || b.leg - a.leg || ((a.pool ?? '') < (b.pool ?? '') ? -1 : 1),
      )
      .slice(0, 3)
    const median = medianOf(deepest.map(({ price, depth }) => ({ value: price, seconds: depth })))
    return deepest.find(({ price }) => !(Math.abs(price - median) > median * 0.02))
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
