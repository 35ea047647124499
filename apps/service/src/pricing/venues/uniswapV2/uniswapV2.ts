import { toEventSelector } from 'viem/utils'
import { decodeAddress, getUint, getWord, hasWords } from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import type { PoolState } from '../../Pool.ts'
import { decodePoolAddress, encodeCall, sortTokens } from '../calls.ts'
import type { PoolEvent, PoolStateEvent, Read, Venue } from '../Venue.ts'

/** Uniswap V2 and its forks: pairs with the price of their reserves. */
export const uniswapV2 = {
  factoryFunction: 'allPairsLength()',
  // Factories of Solidly 1 have it with three parameters.
  furtherFunctions: ['getPair(address,address)'],
  creations: {
    [toEventSelector('PairCreated(address,address,address,uint256)')]: decodePairCreated,
  },
  changes: { [toEventSelector('Sync(uint112,uint112)')]: decodeSync },
  models: {
    'uniswap-v2': {
      state: 'reserves',
      hasShares: true,
      getSpotPrice: ({ reserve0, reserve1 }) =>
        reserve0 > 0n && reserve1 > 0n ? { numerator: reserve1, denominator: reserve0 } : undefined,
      readState: readReserves,
    },
  },
  findPools: (factory, pair) => {
    const tokens = sortTokens(pair)
    return [
      {
        calls: [encodeCall(factory, 'getPair(address,address)', tokens)],
        decode: ([data]) => {
          const address = decodePoolAddress(data)
          return address
            ? {
                type: 'uniswap-v2',
                address,
                factory,
                tokens,
                fee: null,
                tickSpacing: null,
              }
            : undefined
        },
      },
    ]
  },
} as const satisfies Venue

/** Decodes `Sync` of a pair. */
export function decodeSync({ address: pool, topics, data }: Log): PoolStateEvent | undefined {
  if (topics.length !== 1 || !hasWords(data, 2)) {
    return undefined
  }
  return { kind: 'reserves', pool, reserve0: getUint(data, 0), reserve1: getUint(data, 1) }
}

/** Reads the reserves of a pair. */
export function readReserves({ address }: { readonly address: string }): Read<PoolState> {
  return {
    calls: [encodeCall(address, 'getReserves()')],
    decode: ([data = '']): PoolState | undefined =>
      hasWords(data, 2) ? { reserve0: getUint(data, 0), reserve1: getUint(data, 1) } : undefined,
  }
}

function decodePairCreated({ address: factory, topics, data }: Log): PoolEvent | undefined {
  const token0 = decodeAddress(topics[1])
  const token1 = decodeAddress(topics[2])
  if (topics.length !== 3 || !hasWords(data, 2) || !token0 || !token1) {
    return undefined
  }
  const address = decodeAddress(getWord(data, 0))
  if (!address) {
    return undefined
  }
  return {
    kind: 'pool',
    type: 'uniswap-v2',
    address,
    factory,
    tokens: [token0, token1],
    fee: null,
    tickSpacing: null,
  }
}
