import {
  type AbiEvent,
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  parseAbiItem,
  type RpcLog,
  toEventSelector,
  zeroAddress,
} from 'viem'
import type { DevnetChain } from '@headwater/devnet'
import {
  type Curve,
  getCryptoSwapPrices,
  getSolidlyStablePrices,
  getStableSwapPrices,
} from './invariants.ts'

/** A state of a pool in whole tokens. The price of a token in another one is the quotient of both. */
export interface ReplayedState {
  readonly time: number
  readonly block: number
  readonly reserves: readonly number[]
  readonly prices: readonly number[]
}

/** A pool of two tokens or more, with its states at the ends of blocks. */
export interface ReplayedPool {
  /** The contract, or the id of a pool in a singleton. */
  readonly address: string
  readonly tokens: readonly string[]
  readonly block: number
  readonly states: ReplayedState[]
}

/** A pool while its events are replayed. All amounts are in smallest units. */
interface LivePool extends Omit<ReplayedPool, 'block'> {
  /** Undefined for a vault, which counts from its first state on. */
  readonly block: number | undefined
  readonly getState: () => Pick<ReplayedState, 'reserves' | 'prices'>
  readonly amounts: number[]
  root: number
  readonly positions: Map<string, { lower: number; upper: number; liquidity: number }>
}

type Args = Readonly<Record<string, unknown>>

const sources = {
  pairCreated:
    'event PairCreated(address indexed token0, address indexed token1, address pool, uint256 length)',
  v3Created:
    'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  slipstreamCreated:
    'event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)',
  algebraCreated: 'event Pool(address indexed token0, address indexed token1, address pool)',
  solidlyCreated:
    'event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 length)',
  v4Created:
    'event Initialize(bytes32 indexed id, address indexed token0, address indexed token1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
  curvePlainCreated:
    'event PlainPoolDeployed(address[] coins, uint256 A, uint256 fee, address deployer)',
  curveTwoCreated:
    'event TwocryptoPoolDeployed(address pool, string name, string symbol, address[2] coins, address math, bytes32 salt, uint256[2] precisions, uint256 a, uint256 b, uint256 c, uint256 d, address deployer)',
  balancerCreated: 'event PoolCreated(address indexed pool)',
  balancerTokens:
    'event TokensRegistered(bytes32 indexed id, address[] tokens, address[] managers)',
  sync: 'event Sync(uint112 reserve0, uint112 reserve1)',
  solidlySync: 'event Sync(uint256 reserve0, uint256 reserve1)',
  initialize: 'event Initialize(uint160 sqrtPriceX96, int24 tick)',
  v3Swap:
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  pancakeSwap:
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 fee0, uint128 fee1)',
  v4Swap:
    'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  mint: 'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  burn: 'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  v4Modify:
    'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 amount, bytes32 salt)',
  transfer: 'event Transfer(address indexed from, address indexed to, uint256 amount)',
  curveStableSwap:
    'event TokenExchange(address indexed buyer, int128 sold, uint256 amountIn, int128 bought, uint256 amountOut)',
  curveCryptoSwap:
    'event TokenExchange(address indexed buyer, uint256 sold, uint256 amountIn, uint256 bought, uint256 amountOut, uint256 fee, uint256 scale)',
  curveAdd:
    'event AddLiquidity(address indexed provider, uint256[] amounts, uint256[] fees, uint256 invariant, uint256 supply)',
  balancerSwap:
    'event Swap(bytes32 indexed id, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)',
  balancerChange:
    'event PoolBalanceChanged(bytes32 indexed id, address indexed provider, address[] tokens, int256[] deltas, uint256[] fees)',
  deposit:
    'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
  withdraw:
    'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
} as const

type EventName = keyof typeof sources

const events = new Map(
  Object.entries(sources).map(([name, source]) => {
    const item = parseAbiItem([source]) as AbiEvent
    return [toEventSelector(item), { name: name as EventName, item }] as const
  }),
)

const callAbi = parseAbi([
  'function pool_list(uint256) view returns (address)',
  'function A() view returns (uint256)',
  'function gamma() view returns (uint256)',
  'function price_scale() view returns (uint256)',
  'function getPoolId() view returns (bytes32)',
  'function getNormalizedWeights() view returns (uint256[])',
  'function getAmplificationParameter() view returns (uint256 value, bool, uint256 precision)',
  'function asset() view returns (address)',
])

const lower = (value: unknown) => String(value).toLowerCase()
const addressesOf = (value: unknown) => (value as readonly string[]).map(lower)
const numbersOf = (value: unknown) => (value as readonly bigint[]).map(Number)

type Option = keyof DevnetChain['config'] & (`${string}Factories` | `${string}Managers`)

/** Replays the events of all pools of a devnet chain in floating point. */
export class PoolReplay {
  readonly #pools = new Map<string, LivePool>()
  readonly #chain: DevnetChain
  readonly #times: readonly number[]
  readonly #decimals: ReadonlyMap<string, number>
  readonly #touched = new Set<LivePool>()
  /** What contracts hold, by token and holder. */
  readonly #held = new Map<string, number>()
  /** The number of pools of Curve's factories so far. */
  readonly #curvePools = new Map<string, number>()
  readonly #balancerTokens = new Map<string, readonly string[]>()

  constructor(chain: DevnetChain, times: readonly number[]) {
    this.#chain = chain
    this.#times = times
    const tokens = [...chain.tokens, ...(chain.venues?.tokens ?? [])]
    this.#decimals = new Map(tokens.map(({ address, decimals }) => [lower(address), decimals]))
  }

  async run(logs: readonly RpcLog[]): Promise<ReplayedPool[]> {
    await this.#createVaults()
    for (const [block, ofBlock] of Map.groupBy(logs, ({ blockNumber }) => Number(blockNumber))) {
      for (const log of ofBlock) {
        const event = events.get(log.topics[0] ?? '0x')
        const args = event && decode(event.item, log)
        if (event && args) {
          await this.#apply(event.name, lower(log.address), args, block)
        }
      }
      for (const pool of this.#touched) {
        const state = pool.getState()
        const units = pool.tokens.map((token) => 10 ** (this.#decimals.get(token) ?? 18))
        pool.states.push({
          time: this.#times[block] ?? NaN,
          block,
          reserves: state.reserves.map((reserve, index) => reserve / (units[index] ?? 1)),
          prices: state.prices.map((price, index) => price * (units[index] ?? 1)),
        })
      }
      this.#touched.clear()
    }
    return [...this.#pools.values()].flatMap(({ address, tokens, block, states }) => {
      const [first] = states
      return first ? [{ address, tokens, block: block ?? first.block, states }] : []
    })
  }

  async #apply(name: EventName, address: string, args: Args, block: number): Promise<void> {
    const isOf = (...options: readonly Option[]) =>
      options.some((option) => this.#chain.config[option]?.some((each) => lower(each) === address))
    const at = { block, tokens: [lower(args['token0']), lower(args['token1'])] }
    switch (name) {
      case 'pairCreated':
        return isOf('uniswapV2Factories') ? this.#createReserves(args['pool'], at) : undefined
      case 'solidlyCreated':
        return isOf('solidlyFactories')
          ? this.#createReserves(args['pool'], at, args['stable'] === true)
          : undefined
      case 'v3Created':
        return isOf('uniswapV3Factories', 'pancakeswapV3Factories')
          ? this.#createConcentrated(args['pool'], at)
          : undefined
      case 'slipstreamCreated':
        return isOf('slipstreamFactories') ? this.#createConcentrated(args['pool'], at) : undefined
      case 'algebraCreated':
        return isOf('algebraFactories') ? this.#createConcentrated(args['pool'], at) : undefined
      case 'v4Created': {
        if (!isOf('uniswapV4Managers')) {
          return
        }
        const native = lower(this.#chain.config.wrappedNative)
        const tokens = at.tokens.map((token) => (token === zeroAddress ? native : token))
        this.#createConcentrated(args['id'], { block, tokens })
        return this.#setPrice(args['id'], args)
      }
      case 'curvePlainCreated':
      case 'curveTwoCreated':
        return isOf('curveFactories') ? await this.#createCurve(address, args, block) : undefined
      case 'balancerTokens':
        this.#balancerTokens.set(lower(args['id']), addressesOf(args['tokens']))
        return
      case 'balancerCreated':
        return isOf('balancerV2Factories')
          ? await this.#createBalancer(lower(args['pool']), block)
          : undefined
      case 'transfer':
        return this.#move(address, args)
      case 'v4Swap':
        return this.#setPrice(args['id'], args)
      case 'v3Swap':
      case 'pancakeSwap':
      case 'initialize':
        return this.#setPrice(address, args)
      case 'mint':
      case 'burn':
        return this.#changeLiquidity(address, args, name === 'mint' ? 1 : -1)
      case 'v4Modify':
        return this.#changeLiquidity(args['id'], args, 1)
      case 'sync':
      case 'solidlySync':
        return this.#update(address, (pool) => {
          pool.amounts.splice(0, 2, Number(args['reserve0']), Number(args['reserve1']))
        })
      case 'curveStableSwap':
      case 'curveCryptoSwap':
      case 'curveAdd':
        return this.#update(address, () => undefined)
      case 'deposit':
      case 'withdraw':
        return this.#update(address, ({ amounts }) => {
          amounts[0] = (amounts[0] ?? 0) + Number(args['shares']) * (name === 'deposit' ? 1 : -1)
        })
      case 'balancerSwap':
        return this.#update(args['id'], (pool) => {
          add(pool, args['tokenIn'], Number(args['amountIn']))
          add(pool, args['tokenOut'], -Number(args['amountOut']))
        })
      case 'balancerChange':
        return this.#update(args['id'], (pool) => {
          const deltas = numbersOf(args['deltas'])
          const fees = numbersOf(args['fees'])
          for (const [index, token] of addressesOf(args['tokens']).entries()) {
            add(pool, token, (deltas[index] ?? 0) - (fees[index] ?? 0))
          }
        })
    }
  }

  #create(
    address: unknown,
    { block, tokens }: Pick<LivePool, 'block' | 'tokens'>,
    toState: (pool: LivePool) => Pick<ReplayedState, 'reserves' | 'prices'>,
  ): void {
    const pool: LivePool = {
      address: lower(address),
      tokens,
      block,
      states: [],
      amounts: tokens.map(() => 0),
      root: 0,
      positions: new Map(),
      getState: () => toState(pool),
    }
    this.#pools.set(pool.address, pool)
  }

  #createReserves(address: unknown, at: Pick<ReplayedPool, 'block' | 'tokens'>, stable = false) {
    const units = at.tokens.map((token) => 10 ** (this.#decimals.get(token) ?? 18))
    this.#create(address, at, ({ amounts }) => ({
      reserves: [...amounts],
      prices: stable
        ? toUnits(amounts, units, getSolidlyStablePrices)
        : amounts.map((amount) => 1 / amount),
    }))
  }

  #createConcentrated(address: unknown, at: Pick<ReplayedPool, 'block' | 'tokens'>) {
    this.#create(address, at, ({ root, positions }) => {
      let amount0 = 0
      let amount1 = 0
      for (const { lower: tickLower, upper: tickUpper, liquidity } of positions.values()) {
        const low = 1.0001 ** (tickLower / 2)
        const high = 1.0001 ** (tickUpper / 2)
        if (low <= root && root < high) {
          amount0 += liquidity * (1 / root - 1 / high)
          amount1 += liquidity * (root - low)
        }
      }
      return { reserves: [amount0, amount1], prices: [root ** 2, 1] }
    })
  }

  /** Pools of Curve hold what their balances are, as those of the devnet have no administrative fees. */
  async #createCurve(factory: string, args: Args, block: number) {
    const index = this.#curvePools.get(factory) ?? 0
    this.#curvePools.set(factory, index + 1)
    const pool = lower(
      args['pool'] ?? (await this.#call<string>(factory, 'pool_list', block, [BigInt(index)])),
    )
    const tokens = addressesOf(args['coins'])
    const units = tokens.map((token) => 10 ** (this.#decimals.get(token) ?? 18))
    const amplification = Number(await this.#call<bigint>(pool, 'A', block))
    let curve: Curve = (balances) => getStableSwapPrices(balances, amplification)
    if (args['pool'] !== undefined) {
      const gamma = Number(await this.#call<bigint>(pool, 'gamma', block)) / 1e18
      const scale = Number(await this.#call<bigint>(pool, 'price_scale', block)) / 1e18
      // In units of the first coin. The contracts have the amplification times 10,000 nⁿ.
      const a = amplification / 10_000 / tokens.length ** tokens.length
      const scales = [1, scale]
      const units = scales.map((each) => 1 / each)
      curve = (balances) =>
        toUnits(balances, units, (scaled) => getCryptoSwapPrices(scaled, a, gamma))
    }
    this.#create(pool, { block, tokens }, () => {
      const reserves = tokens.map((token) => this.#held.get(`${token}/${pool}`) ?? 0)
      return { reserves, prices: toUnits(reserves, units, curve) }
    })
  }

  async #createBalancer(contract: string, block: number) {
    const id = lower(await this.#call(contract, 'getPoolId', block))
    const tokens = this.#balancerTokens.get(id) ?? []
    const units = tokens.map((token) => 10 ** (this.#decimals.get(token) ?? 18))
    const weights = await this.#call<readonly bigint[]>(
      contract,
      'getNormalizedWeights',
      block,
    ).catch(() => undefined)
    const [value = 0n, , precision = 1n] = weights
      ? []
      : await this.#call<readonly [bigint, boolean, bigint]>(
          contract,
          'getAmplificationParameter',
          block,
        )
    this.#create(id, { block, tokens }, ({ amounts }) => ({
      reserves: [...amounts],
      prices: weights
        ? amounts.map((amount, index) => Number(weights[index]) / amount)
        : toUnits(amounts, units, (balances) =>
            getStableSwapPrices(balances, Number(value) / Number(precision)),
          ),
    }))
  }

  /** Vaults are configured. Their state is known from their first deposit on. */
  async #createVaults() {
    for (const address of this.#chain.config.erc4626Vaults ?? []) {
      const vault = lower(address)
      const asset = lower(await this.#call(vault, 'asset', 'latest'))
      this.#create(
        vault,
        { block: undefined, tokens: [vault, asset] },
        ({ amounts: [shares = 0] }) => {
          const assets = this.#held.get(`${asset}/${vault}`) ?? 0
          return { reserves: [shares, assets], prices: [(assets + 1) / (shares + 1), 1] }
        },
      )
    }
  }

  #move(token: string, args: Args): void {
    const amount = Number(args['amount'])
    for (const [holder, change] of [
      [lower(args['from']), -amount],
      [lower(args['to']), amount],
    ] as const) {
      const key = `${token}/${holder}`
      this.#held.set(key, (this.#held.get(key) ?? 0) + change)
    }
  }

  #setPrice(address: unknown, args: Args): void {
    this.#update(address, (pool) => {
      pool.root = Number(args['sqrtPriceX96']) / 2 ** 96
    })
  }

  #changeLiquidity(address: unknown, args: Args, sign: number): void {
    this.#update(address, ({ positions }) => {
      const tickLower = Number(args['tickLower'])
      const tickUpper = Number(args['tickUpper'])
      const key = `${tickLower} ${tickUpper}`
      const before = positions.get(key)?.liquidity ?? 0
      const liquidity = before + sign * Number(args['amount'])
      positions.set(key, { lower: tickLower, upper: tickUpper, liquidity })
    })
  }

  #update(address: unknown, change: (pool: LivePool) => void): void {
    const pool = this.#pools.get(lower(address))
    if (pool) {
      change(pool)
      this.#touched.add(pool)
    }
  }

  /** Calls a function whose result does not change in pools of the devnet, at the creation of the pool. */
  async #call<Result = string>(
    to: string,
    functionName: string,
    block: number | 'latest',
    args: readonly unknown[] = [],
  ) {
    const at = typeof block === 'number' ? numberToHex(block) : block
    const call = { abi: callAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0]
    const data = encodeFunctionData(call)
    const result = await this.#chain.rpc.call<Hex>('eth_call', { to, data }, at)
    return decodeFunctionResult({ ...call, data: result }) as Result
  }
}

/** Undefined for a log with other indexed parameters. */
function decode(item: AbiEvent, { topics, data }: RpcLog): Args | undefined {
  try {
    const log = { topics: topics as [Hex, ...Hex[]], data }
    return decodeEventLog({ abi: [item], ...log }).args as unknown as Args
  } catch {
    return undefined
  }
}

function add({ tokens, amounts }: LivePool, token: unknown, change: number): void {
  const index = tokens.indexOf(lower(token))
  amounts[index] = (amounts[index] ?? 0) + change
}

/** The prices by a curve of balances in units. */
function toUnits(balances: readonly number[], units: readonly number[], curve: Curve): number[] {
  const divide = (value: number, index: number) => value / (units[index] ?? 1)
  return curve(balances.map(divide)).map(divide)
}
