import { decodePoolAddress, encodeCall } from '../calls.ts'
import { createStakingVenue } from './createStakingVenue.ts'

/**
 * Tokens with the interface of Rocket Pool's rETH, which are redeemed for the native asset. `burn` pays out what the contract
 * holds, so that deeper pools price the token while there is little.
 */
export const rocketPool = createStakingVenue({
  type: 'rocket-pool',
  factoryFunction: 'getExchangeRate()',
  events: [
    'TokensMinted(address,uint256,uint256,uint256)',
    'TokensBurned(address,uint256,uint256,uint256)',
    'EtherDeposited(address,uint256,uint256)',
  ],
  findTokens: async (token, wrappedNative) =>
    wrappedNative === undefined ? undefined : [token, wrappedNative],
  rate: 'getExchangeRate()',
  getDepth: ([token]) => encodeCall(token, 'getTotalCollateral()'),
})

/**
 * Lido's stETH, whose wrapped form wstETH is redeemed for it at any time. The oracle's reports change the rate; stETH, the
 * configured contract, emits an event of each, and its withdrawal queue names wstETH.
 */
export const lido = createStakingVenue({
  type: 'lido',
  factoryFunction: 'getLidoLocator()',
  events: ['TokenRebased(uint256,uint256,uint256,uint256,uint256,uint256,uint256)'],
  findTokens: async (asset, _, call) => {
    let contract: string | undefined = asset
    for (const signature of ['getLidoLocator()', 'withdrawalQueue()', 'WSTETH()']) {
      const [data]: readonly string[] = contract
        ? await call([encodeCall(contract, signature)])
        : []
      contract = decodePoolAddress(data)
    }
    return contract === undefined ? undefined : [contract, asset]
  },
  rate: 'stEthPerToken()',
  getDepth: ([token, asset]) => encodeCall(asset, 'balanceOf(address)', [token]),
})
