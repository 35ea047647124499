import { toEventSelector } from 'viem/utils'
import type { Call } from '../../../rpc/methods/Call.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import type { PoolBalances, PoolType } from '../../Pool.ts'
import { createBalances, decodeTouch, decodeUints, getBalancesPrice } from '../balances.ts'
import { encodeCall } from '../calls.ts'
import type { CallContracts, PoolRegistration, Venue } from '../Venue.ts'

/** A staking token, and the asset that its contract pays out for it. */
type TokenAndAsset = readonly [token: string, asset: string]

/** How a staking token is issued and redeemed: what its contracts return, and when that changes. */
interface StakingProtocol<Type extends PoolType> {
  readonly type: Type
  /** A function without parameters of the configured contract, which is the address of the pool. */
  readonly factoryFunction: string
  /** Events of the configured contract after which its state is read. */
  readonly events: readonly string[]
  readonly findTokens: (
    contract: string,
    wrappedNative: string | undefined,
    call: CallContracts,
  ) => Promise<TokenAndAsset | undefined>
  /** A function of the token: smallest units of the asset per 10¹⁸ of the token. */
  readonly rate: string
  /** A call that returns how much of the asset can be redeemed at present. */
  readonly getDepth: (tokens: TokenAndAsset) => Call
}

const one = 10n ** 18n

/**
 * Creates a venue of staking tokens that anyone can redeem at a rate that a call returns: a pool of the token and its asset, as
 * deep as what can be redeemed. Contracts are configured, as anyone can deploy one that returns any rate.
 */
export function createStakingVenue<Type extends PoolType>({
  type,
  factoryFunction,
  events,
  findTokens,
  rate,
  getDepth,
}: StakingProtocol<Type>) {
  const readBalances = async (
    { tokens: [token = '', asset = ''] }: { readonly tokens: readonly string[] },
    call: CallContracts,
  ): Promise<PoolBalances | undefined> => {
    const read = decodeUints(
      await call([
        encodeCall(token, rate),
        encodeCall(token, 'totalSupply()'),
        getDepth([token, asset]),
      ]),
    )
    const [value = 0n, supply = 0n, depth = 0n] = read ?? []
    return read && createBalances([supply, depth], [value, one])
  }
  const decodeContract = (
    { address }: Log,
    wrappedNative: string | undefined,
  ): PoolRegistration => ({
    kind: 'registration',
    pool: address,
    factory: address,
    read: async (call) => {
      const tokens = await findTokens(address, wrappedNative, call)
      return tokens && (await readBalances({ tokens }, call))
        ? { kind: 'pool', type, address, factory: address, tokens, fee: null, tickSpacing: null }
        : undefined
    },
  })
  const topics = events.map((event) => toEventSelector(event))
  const model = { state: 'balances', getSpotPrice: getBalancesPrice, readBalances } as const
  return {
    factoryFunction,
    creations: Object.fromEntries(topics.map((topic) => [topic, decodeContract])),
    changes: Object.fromEntries(topics.map((topic) => [topic, decodeTouch])),
    models: { [type]: model } as Record<Type, typeof model>,
    findPools: () => [],
  } as const satisfies Venue
}
