import { toEventSelector } from 'viem/utils'
import { decodeAddress, getUint, getWord, hasWords } from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import { decodeTouch, decodeUint, decodeWords, getBalancesPrice, maxTokens } from '../balances.ts'
import { decodePoolAddress, encodeCall } from '../calls.ts'
import type { CallContracts, PoolEvent, PoolRegistration, Venue } from '../Venue.ts'
import { readCryptoBalances, readStableBalances } from './readCurve.ts'

type CurveType = 'curve-stable' | 'curve-crypto'

/** Stands for the native asset in pools. */
const nativeCoin = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Pools with the same coins that are searched for one of them. */
const maxSameCoins = 8

const arrays = ['uint256[2]', 'uint256[3]', 'uint256[4]', 'uint256[]']

/** The events that change balances or parameters, of all versions of pools; those of administrators included. */
const touches = [
  'TokenExchange(address,int128,uint256,int128,uint256)',
  'TokenExchange(address,uint256,uint256,uint256,uint256)',
  'TokenExchange(address,uint256,uint256,uint256,uint256,uint256,uint256)',
  ...arrays.flatMap((array) => [
    `AddLiquidity(address,${array},${array},uint256,uint256)`,
    `AddLiquidity(address,${array},uint256,uint256)`,
    `AddLiquidity(address,${array},uint256,uint256,uint256)`,
    `RemoveLiquidity(address,${array},uint256)`,
    `RemoveLiquidity(address,${array},${array},uint256)`,
    `RemoveLiquidityImbalance(address,${array},${array},uint256,uint256)`,
  ]),
  'RemoveLiquidityOne(address,uint256,uint256)',
  'RemoveLiquidityOne(address,uint256,uint256,uint256)',
  'RemoveLiquidityOne(address,int128,uint256,uint256,uint256)',
  'RemoveLiquidityOne(address,uint256,uint256,uint256,uint256,uint256)',
  'ClaimAdminFee(address,uint256)',
  'RampA(uint256,uint256,uint256,uint256)',
  'RampAgamma(uint256,uint256,uint256,uint256,uint256,uint256)',
  'StopRampA(uint256,uint256)',
  'StopRampA(uint256,uint256,uint256)',
]

const topic = toEventSelector

/**
 * Curve: StableSwap and CryptoSwap pools of up to eight coins, by its factories and, for the pools before these, its
 * registries. Pools of shares of another pool and pools with coins that have a rate are not priced: the creator of a pool
 * chooses the contract that returns the rate, which may return another one to a trade than to an `eth_call`.
 */
export const curve = {
  factoryFunction: 'pool_count()',
  creations: {
    [topic('PlainPoolDeployed(address[4],uint256,uint256,address)')]: decodeDeployed(
      'curve-stable',
      (data) => sliceWords(data, 0, 4),
    ),
    [topic('PlainPoolDeployed(address[],uint256,uint256,address)')]: decodeDeployed(
      'curve-stable',
      decodeWords,
      hasPlainCoins,
    ),
    // Not indexed, but listed by the factory like the others.
    [topic('MetaPoolDeployed(address,address,uint256,uint256,address)')]: decodeOther,
    [topic(`CryptoPoolDeployed(address,address[2],${'uint256,'.repeat(10)}address)`)]:
      decodeDeployed('curve-crypto', (data) => sliceWords(data, 1, 2)),
    [topic(
      `TwocryptoPoolDeployed(address,string,string,address[2],address,bytes32,uint256[2],${'uint256,'.repeat(4)}address)`,
    )]: decodeNamed('curve-crypto', 0),
    [topic(
      `TricryptoPoolDeployed(address,string,string,address,address[3],address,bytes32,${'uint256,'.repeat(5)}address)`,
    )]: decodeNamed('curve-crypto', 0),
    // The registries of pools before the factories.
    [topic('PoolAdded(address,bytes)')]: decodeAdded('curve-stable'),
    [topic('PoolAdded(address)')]: decodeAdded('curve-crypto'),
  },
  changes: Object.fromEntries(touches.map((event) => [topic(event), decodeTouch])),
  models: {
    'curve-stable': {
      state: 'balances',
      hasShares: true,
      getSpotPrice: getBalancesPrice,
      readBalances: readStableBalances,
    },
    'curve-crypto': {
      state: 'balances',
      hasShares: true,
      getSpotPrice: getBalancesPrice,
      readBalances: readCryptoBalances,
    },
  },
  findPools: () => [],
} as const satisfies Venue

/**
 * Of an event without the pool, which is the next one in the list of the factory. Later, it is one of those with the coins of
 * the event.
 *
 * @param getCoins - their words in the data; unused ones are zero.
 * @param isIndexed - whether a pool of the factory is.
 */
function decodeDeployed(
  type: CurveType,
  getCoins: (data: string) => readonly string[] | undefined,
  isIndexed?: typeof hasPlainCoins,
) {
  return ({ address: factory, data }: Log, wrappedNative: string | undefined): PoolRegistration => {
    const readListed = async (listed: string | undefined, call: CallContracts) => {
      const pool = decodePoolAddress(listed)
      const [created, isPlain = true] = await Promise.all([
        readPool({ type, factory, wrappedNative }, pool, call),
        pool && isIndexed?.(factory, pool, call),
      ])
      return isPlain ? created : undefined
    }
    return {
      kind: 'registration',
      factory,
      read: async (call, later) => {
        const count = decodeUint((await call([encodeCall(factory, 'pool_count()')]))[0])
        const index = (count ?? 0n) - BigInt(later + 1)
        if (index < 0n) {
          return undefined
        }
        const [listed] = await call([encodeCall(factory, 'pool_list(uint256)', [index])])
        return await readListed(listed, call)
      },
      readLater: async (call) => {
        const coins = (getCoins(data) ?? []).flatMap((word) => decodePoolAddress(word) ?? [])
        const [first, second] = coins
        if (!first || !second) {
          return []
        }
        const signature = 'find_pool_for_coins(address,address,uint256)'
        const listed = await call(
          Array.from({ length: maxSameCoins }, (_, index) =>
            encodeCall(factory, signature, [first, second, index]),
          ),
        )
        const pools = await Promise.all([...new Set(listed)].map((each) => readListed(each, call)))
        const tokens = coins.map((coin) => toToken(coin, wrappedNative)).join()
        // Others are those of other events, such as meta pools.
        return pools
          .filter((pool) => pool !== undefined)
          .filter((pool) => pool.tokens.join() === tokens)
      },
    }
  }
}

function sliceWords(data: string, start: number, length: number): string[] | undefined {
  return hasWords(data, start + length)
    ? Array.from({ length }, (_, index) => getWord(data, start + index))
    : undefined
}

function toToken(coin: string, wrappedNative: string | undefined): string | undefined {
  return coin === nativeCoin ? wrappedNative : coin
}

/** Whether the coins of a pool have no rate: their types are 0, or 2 for coins whose balances change. */
async function hasPlainCoins(factory: string, pool: string, call: CallContracts): Promise<boolean> {
  const [types = ''] = await call([encodeCall(factory, 'get_pool_asset_types(address)', [pool])])
  return decodeWords(types)?.every((type) => [0n, 2n].includes(BigInt(type))) ?? false
}

function decodeOther({ address: factory }: Log): PoolRegistration {
  return { kind: 'registration', factory, read: async () => undefined }
}

/** Of an event with the pool in a word of its data. */
function decodeNamed(type: CurveType, index: number) {
  return (
    { address: factory, data }: Log,
    wrappedNative: string | undefined,
  ): PoolRegistration | undefined => {
    const pool = hasWords(data, index + 1) ? decodeAddress(getWord(data, index)) : undefined
    return pool
      ? {
          kind: 'registration',
          factory,
          pool,
          read: (call) => readPool({ type, factory, wrappedNative }, pool, call),
        }
      : undefined
  }
}

/**
 * Of an event of a registry, with the pool as topic. Those of stable pools have the four bytes of the method that returns a
 * rate, which are zero unless the coins are lent.
 */
function decodeAdded(type: CurveType) {
  return (
    { address: factory, topics, data }: Log,
    wrappedNative: string | undefined,
  ): PoolRegistration | undefined => {
    const pool = decodeAddress(topics[1])
    const hasRate = type === 'curve-stable' && (!hasWords(data, 3) || getUint(data, 2) > 0n)
    if (!pool || topics.length !== 2 || hasRate) {
      return undefined
    }
    return {
      kind: 'registration',
      factory,
      pool,
      read: async (call) => {
        const [isMeta] = await call([encodeCall(factory, 'is_meta(address)', [pool])])
        return decodeUint(isMeta)
          ? undefined
          : await readPool({ type, factory, wrappedNative }, pool, call)
      },
    }
  }
}

/** Reads the coins of a pool. The first pools have signed indexes. */
async function readPool(
  {
    type,
    factory,
    wrappedNative,
  }: { type: CurveType; factory: string; wrappedNative: string | undefined },
  pool: string | undefined,
  call: CallContracts,
): Promise<PoolEvent | undefined> {
  if (!pool) {
    return undefined
  }
  const indexes = Array.from({ length: maxTokens }, (_, index) => index)
  const results = await call(
    ['coins(uint256)', 'coins(int128)'].flatMap((signature) =>
      indexes.map((index) => encodeCall(pool, signature, [index])),
    ),
  )
  const coins = [results.slice(0, maxTokens), results.slice(maxTokens)].map((listed) => {
    const end = listed.findIndex((data) => !decodePoolAddress(data))
    return listed.slice(0, end === -1 ? maxTokens : end).map((data) => {
      const coin = decodePoolAddress(data)
      return coin && toToken(coin, wrappedNative)
    })
  })
  const tokens = coins.find((listed) => listed.length > 1)?.filter((coin) => coin !== undefined)
  const isComplete = coins.some((listed) => listed.length === tokens?.length)
  return tokens && isComplete && new Set(tokens).size === tokens.length
    ? {
        kind: 'pool',
        type,
        address: pool,
        factory,
        tokens,
        fee: null,
        tickSpacing: null,
      }
    : undefined
}
