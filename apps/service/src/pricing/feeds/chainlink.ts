import { getUint, hasWords } from '../../indexing/decode/words.ts'
import { createBalances, decodeUint, getBalancesPrice } from '../venues/balances.ts'
import { encodeCall } from '../venues/calls.ts'
import type { PoolModel, PoolRegistration } from '../venues/Venue.ts'

/** A contract of Chainlink that returns the value of a stablecoin in USD. */
export interface PriceFeed {
  readonly token: string
  /** The proxy, which remains the same when its aggregator changes. */
  readonly address: string
  /** How often the feed has a new value at least. Older values are ignored. */
  readonly heartbeatSeconds: number
  /** It is read at each block whose number is a multiple. */
  readonly everyBlocks: number
}

/** A value may be late by this part of the heartbeat. */
const toleratedPart = 10
/** Ranks a feed above all pools, so that it is loaded with them. */
const rank = 1n << 250n
const maxDecimals = 77n

/**
 * Feeds are stored like pools of a token with itself, at the value of the token in USD: their states have the same history,
 * undo and window. They trade nothing, and no route has them.
 */
export const chainlinkModel = {
  state: 'balances',
  getSpotPrice: getBalancesPrice,
  readBalances: async ({ address }, call, { time, heartbeatSeconds = 0 }) => {
    const [data = '', places] = await call([
      encodeCall(address, 'latestRoundData()'),
      encodeCall(address, 'decimals()'),
    ])
    const decimals = decodeUint(places)
    if (!hasWords(data, 5) || decimals === undefined || decimals > maxDecimals) {
      return undefined
    }
    const value = BigInt.asIntN(256, getUint(data, 1))
    const updatedAt = Number(getUint(data, 3))
    const isFresh = updatedAt + heartbeatSeconds * (1 + 1 / toleratedPart) >= time
    return isFresh && value > 0n
      ? createBalances([rank, rank], [value, 10n ** decimals])
      : undefined
  },
} as const satisfies PoolModel

/** Registers a feed, which is part of the index from its first value on. */
export function toRegistration({ address, token }: PriceFeed): PoolRegistration {
  return {
    kind: 'registration',
    pool: address,
    factory: address,
    read: async (call) => {
      const [decimals] = await call([encodeCall(address, 'decimals()')])
      return decodeUint(decimals) === undefined
        ? undefined
        : {
            kind: 'pool',
            type: 'chainlink',
            address,
            factory: address,
            tokens: [token, token],
            fee: null,
            tickSpacing: null,
          }
    },
  }
}
