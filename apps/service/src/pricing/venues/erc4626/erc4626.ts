import { toEventSelector } from 'viem/utils'
import { decodeAddress, getWord } from '../../../indexing/decode/words.ts'
import type { Log } from '../../../rpc/methods/Log.ts'
import type { PoolBalances } from '../../Pool.ts'
import { createBalances, decodeTouch, decodeUint, getBalancesPrice } from '../balances.ts'
import { encodeCall } from '../calls.ts'
import type { CallContracts, PoolRegistration, Venue } from '../Venue.ts'

const depositTopic = toEventSelector('Deposit(address,address,uint256,uint256)')
const withdrawTopic = toEventSelector('Withdraw(address,address,address,uint256,uint256)')

/**
 * ERC4626 vaults, as those of wrapped staking tokens: a pool of the vault's shares and its asset, with the price of
 * `convertToAssets`. Vaults are configured, as anyone can deploy one that returns any price. They count from their first
 * deposit on, and their price is read with each deposit and withdrawal.
 */
export const erc4626 = {
  factoryFunction: 'totalAssets()',
  furtherFunctions: ['asset()', 'convertToAssets(uint256)'],
  creations: { [depositTopic]: decodeVault, [withdrawTopic]: decodeVault },
  changes: { [depositTopic]: decodeTouch, [withdrawTopic]: decodeTouch },
  models: {
    erc4626: { state: 'balances', getSpotPrice: getBalancesPrice, readBalances },
  },
  findPools: () => [],
} as const satisfies Venue

function decodeVault({ address }: Log): PoolRegistration {
  return {
    kind: 'registration',
    pool: address,
    factory: address,
    read: async (call) => {
      const [data = ''] = await call([encodeCall(address, 'asset()')])
      const asset = decodeUint(data) ? decodeAddress(getWord(data, 0)) : undefined
      return asset && asset !== address
        ? {
            kind: 'pool',
            type: 'erc4626',
            address,
            factory: address,
            tokens: [address, asset],
            fee: null,
            tickSpacing: null,
          }
        : undefined
    },
  }
}

/** The assets of the vault are its depth on both sides, at the price of all shares. */
async function readBalances(
  { address }: { readonly address: string },
  call: CallContracts,
): Promise<PoolBalances | undefined> {
  const amounts = await call([
    encodeCall(address, 'totalSupply()'),
    encodeCall(address, 'totalAssets()'),
  ])
  const shares = decodeUint(amounts[0])
  const assets = decodeUint(amounts[1])
  if (!shares || assets === undefined) {
    return undefined
  }
  const [converted] = await call([encodeCall(address, 'convertToAssets(uint256)', [shares])])
  const value = decodeUint(converted)
  return value === undefined ? undefined : createBalances([shares, assets], [value, shares])
}
