import { toEventSelector } from 'viem/utils'
import type { Log } from '../../../rpc/methods/Log.ts'
import type { PoolBalances } from '../../Pool.ts'
import { createBalances, decodeTouch, decodeUints, getBalancesPrice } from '../balances.ts'
import { encodeCall } from '../calls.ts'
import type { CallContracts, PoolRegistration, Venue } from '../Venue.ts'

const topics = [
  'TokensMinted(address,uint256,uint256,uint256)',
  'TokensBurned(address,uint256,uint256,uint256)',
  'EtherDeposited(address,uint256,uint256)',
].map((event) => toEventSelector(event))
/** The unit of the rate. */
const one = 10n ** 18n

/**
 * Staking tokens with the interface of Rocket Pool's rETH: a pool of the token and wrapped native, at the price of
 * `getExchangeRate`. Its depth is what `burn` can pay out, so that deeper pools price the token while there is little.
 * Tokens are configured, as anyone can deploy one that returns any rate.
 */
export const rocketPool = {
  factoryFunction: 'getExchangeRate()',
  creations: Object.fromEntries(topics.map((topic) => [topic, decodeToken])),
  changes: Object.fromEntries(topics.map((topic) => [topic, decodeTouch])),
  models: {
    'rocket-pool': { state: 'balances', getSpotPrice: getBalancesPrice, readBalances },
  },
  findPools: () => [],
} as const satisfies Venue

function decodeToken(
  { address }: Log,
  wrappedNative: string | undefined,
): PoolRegistration | undefined {
  return wrappedNative === undefined
    ? undefined
    : {
        ...{ kind: 'registration', pool: address, factory: address },
        read: async (call) =>
          (await readBalances({ address }, call)) && {
            ...{ kind: 'pool', type: 'rocket-pool', address, factory: address },
            ...{ tokens: [address, wrappedNative], fee: null, tickSpacing: null },
          },
      }
}

async function readBalances(
  { address }: { readonly address: string },
  call: CallContracts,
): Promise<PoolBalances | undefined> {
  const signatures = ['getExchangeRate()', 'totalSupply()', 'getTotalCollateral()']
  const read = decodeUints(
    await call(signatures.map((signature) => encodeCall(address, signature))),
  )
  const [rate = 0n, supply = 0n, collateral = 0n] = read ?? []
  return read && createBalances([supply, collateral], [rate, one])
}
