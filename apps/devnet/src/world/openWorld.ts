import { type Address, concatHex, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Bytecodes } from '../contracts/compileContracts.ts'
import {
  uniswapV2FactoryBytecode,
  uniswapV2RouterBytecode,
  weth9Bytecode,
} from '../contracts/publishedArtifacts.ts'
import { accounts, getAccount } from '../scenarios/accounts.ts'
import type { SeededRandom } from '../seededRandom.ts'
import { openConcentratedPool } from './concentrated.ts'
import { type DeployedPool, type DeployedToken, oneUsd } from './Deployment.ts'
import { roundAmount } from './roundAmount.ts'
import type { World } from './World.ts'

const treasury = getAccount('treasury').address
const deployer = getAccount('deployer').address
const spammer = getAccount('sybil').address
const ranger = getAccount('ranger').address

/** Deploys wrapped native, the factory and the router, and wraps the native tokens for the first pools. */
export function deployExchange(world: World): void {
  const { wrappedNative, factory } = world.deployment
  world.deploy(deployer, weth9Bytecode)
  const admin = encodeAbiParameters(parseAbiParameters('address'), [treasury])
  world.deploy(deployer, concatHex([uniswapV2FactoryBytecode, admin]))
  const parts = encodeAbiParameters(parseAbiParameters('address, address'), [
    factory,
    wrappedNative.address,
  ])
  world.deploy(deployer, concatHex([uniswapV2RouterBytecode, parts]))
  world.deposit(treasury, 12_000n * 10n ** 18n)
}

/** Deploys a token of the scenario. Its supply goes to the treasury, or to the spammer for spam. */
export function deployToken(world: World, token: DeployedToken, bytecodes: Bytecodes): void {
  const amount = token.supply * 10n ** BigInt(token.decimals)
  const holder = token.spam ? spammer : treasury
  const parts = encodeAbiParameters(parseAbiParameters('string, string, uint8, uint256, address'), [
    token.name,
    token.symbol,
    token.decimals,
    amount,
    holder,
  ])
  const supply = { token: token.address, holder, amount }
  world.deploy(deployer, concatHex([bytecodes.DevnetToken, parts]), supply)
}

/** Creates a pool with the prices and the liquidity of the scenario. */
export function openPool(world: World, pool: DeployedPool): void {
  const owner = pool.base.spam ? spammer : treasury
  if (pool.base.spam) {
    const quoteNeeded = worth(pool.quote, pool.depthUsd)
    world.transfer(pool.quote.address, treasury, owner, quoteNeeded)
  }
  world.addLiquidity(pool, owner, worth(pool.base, pool.depthUsd), worth(pool.quote, pool.depthUsd))
}

/** Gives the ranger several times the liquidity of its pools, and creates them. */
export function openConcentratedPools(world: World): void {
  const { wrappedNative, concentrated } = world.deployment
  const needed = new Map<DeployedToken, bigint>()
  for (const { base, quote, plan } of concentrated.pools) {
    for (const token of [base, quote]) {
      needed.set(token, (needed.get(token) ?? 0n) + worth(token, plan.depthUsd * 5n))
    }
  }
  for (const [token, amount] of needed) {
    if (token === wrappedNative) {
      world.deposit(ranger, amount)
    } else {
      world.transfer(token.address, treasury, ranger, atMostTenth(token, amount))
    }
  }
  for (const pool of concentrated.pools) {
    openConcentratedPool(world, pool)
  }
}

/** Distributes a token: to the market maker and to accounts, or to all addresses for spam. */
export function handOut(
  world: World,
  token: DeployedToken,
  random: SeededRandom,
  smallHolders: readonly Address[],
): void {
  const give = (from: Address, to: Address, amount: bigint) => {
    if (amount > 0n) {
      world.transfer(token.address, from, to, amount)
    }
  }
  if (token.spam) {
    const recipients = accounts.filter(
      ({ role, address }) => role !== 'deployer' && address !== spammer,
    )
    const lucky = smallHolders.filter((_, index) => index % 2 === 0)
    for (const to of [...recipients.map(({ address }) => address), ...lucky]) {
      give(spammer, to, worthOrWhole(token, 500n))
    }
    return
  }
  give(treasury, getAccount('maker').address, world.ledger.balanceOf(token.address, treasury) / 6n)
  for (const { address, role } of accounts) {
    if (role === 'trader' && random.chance(65)) {
      give(treasury, address, roundAmount(worthOrWhole(token, BigInt(random.integer(900, 38_000)))))
    }
    if (role === 'provider') {
      give(
        treasury,
        address,
        roundAmount(worthOrWhole(token, BigInt(random.integer(9_000, 90_000)))),
      )
    }
  }
  give(treasury, getAccount('grace').address, roundAmount(worthOrWhole(token, 250_000n)))
  if (random.chance(60)) {
    give(treasury, getAccount('quinn').address, worthOrWhole(token, 25n))
  }
}

/** A tenth of the supply at most. */
function atMostTenth(token: DeployedToken, amount: bigint): bigint {
  const most = (token.supply * 10n ** BigInt(token.decimals)) / 10n
  return amount < most ? amount : most
}

/** The amount of a priced token with this initial value in USD. */
function worth(token: DeployedToken, usd: bigint): bigint {
  if (token.unitPrice === undefined) {
    throw new RangeError(`${token.symbol} has no price`)
  }
  return (usd * oneUsd) / token.unitPrice
}

/** The same for a token without a price: this number of whole tokens, but less than a twentieth of the supply. */
function worthOrWhole(token: DeployedToken, usd: bigint): bigint {
  const one = 10n ** BigInt(token.decimals)
  const amount = token.unitPrice === undefined ? usd * one : worth(token, usd)
  const most = (token.supply * one) / 20n
  return token.supply > 0n && amount > most ? most : amount
}
