import { encodeAbiParameters, encodeFunctionData, maxUint256, zeroAddress } from 'viem'
import {
  balancerAbi,
  balancerStableAbi,
  curveAbi,
  curveCryptoAbi,
  curveStableAbi,
  solidlyAbi,
  vaultAbi,
  venueTraderAbi,
} from '../../contracts/venueArtifacts.ts'
import type { World } from '../World.ts'
import type { DeployedVenuePool } from './DeployedVenues.ts'
import type { VenueActions } from './VenueActions.ts'
import { contractsOf, ranger, send, worth, write } from './venueTransactions.ts'

const addressesOf = ({ tokens }: DeployedVenuePool) => tokens.map(({ address }) => address)

function approveTokens(world: World, pool: DeployedVenuePool, spender = pool.address): void {
  for (const address of addressesOf(pool)) {
    world.approve(ranger, address, spender)
  }
}

/** Transfers a part of the depth of each token to a pool, in thousandths. */
function donate(world: World, pool: DeployedVenuePool, permille: bigint): void {
  for (const token of pool.tokens) {
    send(world, token.address, pool.address, worth(token, (pool.depthUsd * permille) / 1_000n))
  }
}

function createSolidly(stable: boolean): VenueActions {
  const provide: VenueActions['provide'] = (world, pool, permille) => {
    donate(world, pool, permille)
    const data = encodeFunctionData({ abi: solidlyAbi, functionName: 'mint', args: [ranger] })
    write(world, pool.address, data)
  }
  return {
    open: (world, pool) => {
      const [token0 = zeroAddress, token1 = zeroAddress] = addressesOf(pool)
      const args = [token0, token1, stable] as const
      const data = encodeFunctionData({ abi: solidlyAbi, functionName: 'createPool', args })
      write(world, contractsOf(world).solidlyFactory, data)
      provide(world, pool, 1_000n, false)
    },
    swap: (world, pool, sold, _, amount) => {
      const args = [pool.address, pool.tokens[sold]?.address ?? zeroAddress, amount] as const
      const abi = venueTraderAbi
      const data = encodeFunctionData({ abi, functionName: 'swapReserves', args })
      write(world, contractsOf(world).trader, data)
    },
    provide,
  }
}

function createCurve(isCrypto: boolean): VenueActions {
  const provide: VenueActions['provide'] = (world, pool, permille) => {
    donate(world, pool, permille)
    const args = [ranger, pool.tokens.map(() => 0n)] as const
    write(world, pool.address, encodeFunctionData({ abi: curveAbi, functionName: 'update', args }))
  }
  return {
    open: (world, pool) => {
      const coins = addressesOf(pool)
      const fee = 4_000_000n
      const [unit, ...others] = pool.tokens.map(
        ({ unitPrice = 0n, decimals }) => unitPrice * 10n ** BigInt(decimals),
      )
      const prices = others.map((price) => (price * 10n ** 18n) / (unit ?? 1n))
      const data = isCrypto
        ? encodeFunctionData({
            abi: curveAbi,
            functionName: 'deploy_crypto_pool',
            args: [coins, 5_400_000n, 145_000_000_000_000n, fee, prices],
          })
        : encodeFunctionData({
            abi: curveAbi,
            functionName: 'deploy_plain_pool',
            args: [coins, 200n, fee],
          })
      const { curveStableFactory, curveCryptoFactory } = contractsOf(world)
      write(world, isCrypto ? curveCryptoFactory : curveStableFactory, data)
      approveTokens(world, pool)
      provide(world, pool, 1_000n, false)
    },
    swap: (world, pool, sold, bought, amount) => {
      const data = isCrypto
        ? encodeFunctionData({
            abi: curveCryptoAbi,
            functionName: 'exchange',
            args: [BigInt(sold), BigInt(bought), amount, 0n],
          })
        : encodeFunctionData({
            abi: curveStableAbi,
            functionName: 'exchange',
            args: [BigInt(sold), BigInt(bought), amount, 0n],
          })
      write(world, pool.address, data)
    },
    provide,
  }
}

/** What a join of a pool of Balancer states first. */
const joinKinds = { first: 0n, exactAmounts: 1n } as const

function createBalancer(isWeighted: boolean): VenueActions {
  const join = (
    world: World,
    pool: DeployedVenuePool,
    kind: keyof typeof joinKinds,
    permille: bigint,
  ) => {
    const amounts = pool.tokens.map((token) => worth(token, (pool.depthUsd * permille) / 1_000n))
    const userData = encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256[]' }, { type: 'uint256' }],
      [joinKinds[kind], amounts, 0n],
    )
    const request = { assets: addressesOf(pool), maxAmountsIn: amounts, userData }
    const data = encodeFunctionData({
      abi: balancerAbi,
      functionName: 'joinPool',
      args: [pool.address, ranger, ranger, { ...request, fromInternalBalance: false }],
    })
    write(world, contractsOf(world).balancerVault, data)
  }
  return {
    open: (world, pool) => {
      const { balancerVault, balancerWeightedFactory, balancerStableFactory } = contractsOf(world)
      const name = pool.tokens.map(({ symbol }) => symbol).join('-')
      const fee = 3n * 10n ** 15n
      const weights = pool.tokens.map(() => 10n ** 18n / BigInt(pool.tokens.length))
      const data = isWeighted
        ? encodeFunctionData({
            abi: balancerAbi,
            functionName: 'create',
            args: [name, name, addressesOf(pool), weights, fee, ranger],
          })
        : encodeFunctionData({
            abi: balancerStableAbi,
            functionName: 'create',
            args: [name, name, addressesOf(pool), 200n, fee, ranger],
          })
      write(world, isWeighted ? balancerWeightedFactory : balancerStableFactory, data)
      approveTokens(world, pool, balancerVault)
      join(world, pool, 'first', 1_000n)
    },
    swap: (world, pool, sold, bought, amount) => {
      const [assetIn = zeroAddress, assetOut = zeroAddress] = [sold, bought].map(
        (index) => pool.tokens[index]?.address,
      )
      const single = { poolId: pool.address, kind: 0, assetIn, assetOut, amount, userData: '0x' }
      const funds = {
        sender: ranger,
        fromInternalBalance: false,
        recipient: ranger,
        toInternalBalance: false,
      }
      const data = encodeFunctionData({
        abi: balancerAbi,
        functionName: 'swap',
        args: [single as typeof single & { userData: '0x' }, funds, 0n, maxUint256],
      })
      write(world, contractsOf(world).balancerVault, data)
    },
    provide: (world, pool, permille) => join(world, pool, 'exactAmounts', permille),
  }
}

/** The pools without ranges, by type. */
export const balanceVenues = {
  'solidly-volatile': createSolidly(false),
  'solidly-stable': createSolidly(true),
  'curve-stable': createCurve(false),
  'curve-crypto': createCurve(true),
  'balancer-weighted': createBalancer(true),
  'balancer-stable': createBalancer(false),
  /** Shares are sold by withdrawals, and the asset by deposits. Liquidity is yield, which the next of both makes known. */
  erc4626: {
    open: (world, pool) => {
      const [vault, asset] = pool.tokens
      if (vault && asset) {
        world.approve(ranger, asset.address, vault.address)
        const args = [worth(asset, pool.depthUsd), ranger] as const
        const data = encodeFunctionData({ abi: vaultAbi, functionName: 'deposit', args })
        write(world, vault.address, data)
      }
    },
    swap: (world, { address }, sold, _, amount) => {
      const data =
        sold === 0
          ? encodeFunctionData({
              abi: vaultAbi,
              functionName: 'withdraw',
              args: [amount, ranger, ranger],
            })
          : encodeFunctionData({
              abi: vaultAbi,
              functionName: 'deposit',
              args: [amount, ranger],
            })
      write(world, address, data)
    },
    provide: (world, pool, permille) => {
      const [, asset] = pool.tokens
      if (asset) {
        send(world, asset.address, pool.address, worth(asset, (pool.depthUsd * permille) / 20_000n))
      }
    },
  },
} as const satisfies Readonly<Record<string, VenueActions>>
