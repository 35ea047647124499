import type { Address } from 'viem'
import { accounts, getAccount } from '../scenarios/accounts.ts'
import type { SeededRandom } from '../seededRandom.ts'
import {
  priceOfBase,
  provideAround,
  squareRootPrice,
  swapExact,
  swapToRoot,
  withdrawLiquidity,
} from './concentrated.ts'
import {
  type DeployedConcentratedPool,
  type DeployedPool,
  type DeployedToken,
  oneUsd,
} from './Deployment.ts'
import { roundAmount } from './roundAmount.ts'
import { swapToPrice } from './swapMath.ts'
import type { World } from './World.ts'

const million = 1_000_000n
const maker = getAccount('maker').address
const treasury = getAccount('treasury').address
const traders = accounts.filter(({ role }) => role === 'trader')
const providers = accounts.filter(({ role }) => role === 'provider')
const owners = accounts.filter(
  ({ role }) => role === 'treasury' || role === 'maker' || role === 'trader' || role === 'provider',
)
const receivers = accounts.filter(({ role }) => role !== 'deployer' && role !== 'builder')

/** Pools with less liquidity are rarely traded. */
const shallowUsd = 10_000n

/** Generates random prices, arbitrage of the market maker, and trades, transfers and wraps of the accounts. */
export class Market {
  readonly #world: World
  readonly #random: SeededRandom
  readonly #smallHolders: readonly Address[]
  /** The external market price of a smallest unit, in 10^-48 USD. */
  readonly #prices = new Map<Address, bigint>()
  /** Positions that the ranger opened, and the liquidity that it can remove from each. */
  readonly #positions: { tokenId: bigint; liquidity: bigint }[] = []

  constructor(world: World, random: SeededRandom, smallHolders: readonly Address[]) {
    this.#world = world
    this.#random = random
    this.#smallHolders = smallHolders
    for (const { address, unitPrice } of world.deployment.tokens) {
      if (unitPrice !== undefined) {
        this.#prices.set(address, unitPrice)
      }
    }
  }

  /** Sets the market prices to those of the pools, for a chain with an existing past. */
  followPools(): void {
    const stable = new Set(this.#world.deployment.scenario.stablecoins)
    // Two passes: a token quoted in wrapped native needs the price of that first.
    for (const pool of [...this.#openPools(), ...this.#openPools()]) {
      const quotePrice = this.#prices.get(pool.quote.address)
      const { base, quote } = this.#world.reservesOf(pool)
      if (stable.has(pool.base.symbol) || quotePrice === undefined) {
        continue
      }
      this.#prices.set(pool.base.address, (quote * quotePrice) / base)
    }
    // Tokens with pools on Uniswap V3 only.
    const traded = new Set(this.#openPools().map(({ base }) => base))
    for (const pool of this.#openConcentratedPools()) {
      const root = this.#world.squareRootPrices.get(pool.address)
      if (traded.has(pool.base) || stable.has(pool.base.symbol) || root === undefined) {
        continue
      }
      this.#prices.set(pool.base.address, priceOfBase(pool, root, this.#price(pool.quote)))
    }
  }

  /** The ranger moves some Uniswap V3 pools to the market price, or sometimes beyond it. */
  rebalanceConcentrated(percentOfPools: number): void {
    for (const pool of this.#openConcentratedPools()) {
      if (!this.#random.chance(percentOfPools)) {
        continue
      }
      const overshoot = this.#random.chance(25) ? this.#random.bell(30_000) : 0
      const priceBase = (this.#price(pool.base) * (million + BigInt(overshoot))) / million
      const target = squareRootPrice(pool, priceBase, this.#price(pool.quote))
      const shown = this.#world.squareRootPrices.get(pool.address)
      if (shown === undefined) {
        continue
      }
      // A deviation within the fee gives no profit. The square root moves half as far as the price.
      const gap = target > shown ? target - shown : shown - target
      if (gap * 2n * million > shown * BigInt(pool.plan.fee)) {
        swapToRoot(this.#world, pool, target)
      }
    }
  }

  /** The ranger opens a narrow position around the price, or reduces an earlier one. */
  moveLiquidity(): void {
    const pools = this.#openConcentratedPools()
    if (pools.length === 0) {
      return
    }
    const pool = this.#random.pick(pools)
    const oldest = this.#positions.shift()
    if (oldest && this.#random.chance(50)) {
      withdrawLiquidity(this.#world, oldest.tokenId, oldest.liquidity)
      return
    }
    const ticks = this.#random.pick([400, 1_800, 5_400])
    const opened = provideAround(this.#world, pool, ticks, pool.plan.depthUsd / 40n)
    if (opened) {
      this.#positions.push(opened)
    }
  }

  /** A trader swaps in a Uniswap V3 pool. Only for the present, because the output is read from the chain. */
  swapConcentrated(): void {
    const pools = this.#openConcentratedPools()
    if (pools.length === 0) {
      return
    }
    const pool = this.#random.pick(pools)
    const token = this.#random.pick([pool.base, pool.quote])
    const trader = this.#random.pick(traders).address
    const balance = this.#world.ledger.balanceOf(token.address, trader)
    const amount = roundAmount((balance * BigInt(this.#random.integer(5, 60))) / 1_000n)
    if (amount > 0n) {
      swapExact(this.#world, pool, trader, token.address, amount)
    }
  }

  /** Moves every price by a random walk. */
  walk(seconds: number): void {
    for (const { address, volatility } of this.#world.deployment.tokens) {
      const price = this.#prices.get(address)
      if (price === undefined || volatility === 0) {
        continue
      }
      const step = this.#random.bell(volatility * Math.sqrt(seconds / 3_600))
      this.#prices.set(address, (price * (million + BigInt(step))) / million)
    }
  }

  /** The market maker moves some pools back to the market price. */
  rebalance(percentOfPools: number): void {
    for (const pool of this.#openPools()) {
      if (!pool.base.spam && this.#random.chance(percentOfPools)) {
        this.#arbitrage(pool)
      }
    }
  }

  /** The market maker moves all pools of two stablecoins back to their peg. */
  keepPegs(): void {
    const stable = new Set(this.#world.deployment.scenario.stablecoins)
    for (const pool of this.#openPools()) {
      if (stable.has(pool.base.symbol) && stable.has(pool.quote.symbol)) {
        this.#arbitrage(pool)
      }
    }
  }

  #arbitrage(pool: DeployedPool): void {
    const { base, quote } = this.#world.reservesOf(pool)
    const priceBase = this.#price(pool.base)
    const priceQuote = this.#price(pool.quote)
    const { payIn, amountIn } = swapToPrice(base, quote, priceBase, priceQuote)
    const reserveIn = payIn === 'a' ? base : quote
    // A deviation below the fee of 0.3 % in both directions gives no profit.
    if (amountIn * 1_000n < reserveIn * 3n) {
      return
    }
    const tokenIn = payIn === 'a' ? pool.base.address : pool.quote.address
    const most = this.#world.ledger.balanceOf(tokenIn, maker) / 3n
    const amount = amountIn < most ? amountIn : most
    if (amount > 0n) {
      this.#world.swap([pool], maker, tokenIn, amount)
    }
  }

  /** Generates a random transaction, or none where the drawn one is impossible. */
  transact(): void {
    const draw = this.#random.integer(0, 99)
    if (draw < 46) {
      this.#swap()
    } else if (draw < 66) {
      this.#transfer(this.#random.pick(receivers).address)
    } else if (draw < 80) {
      this.#transfer(this.#random.pick(this.#smallHolders))
    } else if (draw < 86) {
      this.#deposit()
    } else if (draw < 91) {
      this.#withdraw()
    } else if (draw < 95) {
      this.#send()
    } else if (draw < 98) {
      this.#addLiquidity()
    } else {
      this.#removeLiquidity()
    }
  }

  #swap(): void {
    const pools = this.#openPools().filter(({ base }) => !base.spam)
    const pool = this.#random.pick(pools)
    if (pool.depthUsd < shallowUsd && !this.#random.chance(15)) {
      return
    }
    const sellsBase = this.#random.chance(50)
    const tokenIn = sellsBase ? pool.base : pool.quote
    const tokenOut = sellsBase ? pool.quote : pool.base
    const route = [pool]
    const onwards = pools.filter(
      (next) => next !== pool && next.base === tokenOut && next.depthUsd >= shallowUsd,
    )
    if (onwards.length > 0 && this.#random.chance(30)) {
      route.push(this.#random.pick(onwards))
    }
    const trader = this.#random.pick(traders).address
    const balance = this.#world.ledger.balanceOf(tokenIn.address, trader)
    const wanted = (balance * BigInt(this.#random.integer(5, 90))) / 1_000n
    const reserves = this.#world.reservesOf(pool)
    const most = (sellsBase ? reserves.base : reserves.quote) / 50n
    const amount = roundAmount(wanted < most ? wanted : most)
    if (amount > 0n) {
      this.#world.swap(route, trader, tokenIn.address, amount)
    }
  }

  #transfer(to: Address): void {
    const from = this.#random.pick(owners).address
    const token = this.#random.pick(this.#world.deployment.tokens)
    const balance = this.#world.ledger.balanceOf(token.address, from)
    // The usual share of a very large balance would be unrealistic.
    const parts = from === treasury || from === maker ? 10_000_000n : 1_000n
    const amount = roundAmount((balance * BigInt(this.#random.integer(2, 80))) / parts)
    if (amount > 0n && from !== to) {
      this.#world.transfer(token.address, from, to, amount)
    }
  }

  #deposit(): void {
    const from = this.#random.pick([...traders, ...providers]).address
    const amount = this.#shareOfNative(from)
    if (amount > 0n) {
      this.#world.deposit(from, amount)
    }
  }

  #withdraw(): void {
    const from = this.#random.pick([...traders, ...providers]).address
    const balance = this.#world.ledger.balanceOf(this.#world.deployment.wrappedNative.address, from)
    const amount = roundAmount((balance * BigInt(this.#random.integer(10, 200))) / 1_000n)
    if (amount > 0n) {
      this.#world.withdraw(from, amount)
    }
  }

  #send(): void {
    const from = this.#random.pick(owners).address
    const to = this.#random.pick([
      ...receivers.map((account) => account.address),
      ...this.#smallHolders,
    ])
    const amount = this.#shareOfNative(from)
    if (amount > 0n && from !== to) {
      this.#world.send(from, to, amount)
    }
  }

  #addLiquidity(): void {
    const from = this.#random.pick(providers).address
    const pool = this.#random.pick(this.#openPools())
    if (pool.base.spam || pool.depthUsd < shallowUsd) {
      return
    }
    const share = BigInt(this.#random.integer(20, 150))
    const base = (this.#world.ledger.balanceOf(pool.base.address, from) * share) / 1_000n
    const quote = (this.#world.ledger.balanceOf(pool.quote.address, from) * share) / 1_000n
    // The pair rejects amounts so small that they round to zero shares.
    const reserves = this.#world.reservesOf(pool)
    if (base * million < reserves.base || quote * million < reserves.quote) {
      return
    }
    if (base > 1n && quote > 1n) {
      this.#world.addLiquidity(pool, from, base, quote)
    }
  }

  #removeLiquidity(): void {
    const from = this.#random.pick(providers).address
    const pool = this.#random.pick(this.#openPools())
    const shares = this.#world.ledger.balanceOf(pool.address, from)
    const amount = (shares * BigInt(this.#random.integer(100, 700))) / 1_000n
    const total = this.#world.ledger.totalOf(pool.address)
    if (amount * million > total) {
      this.#world.removeLiquidity(pool, from, amount)
    }
  }

  #shareOfNative(holder: Address): bigint {
    const balance = this.#world.nativeOf(holder)
    if (balance < 10n ** 18n) {
      return 0n
    }
    const most = 20n * 10n ** 18n
    const share = (balance * BigInt(this.#random.integer(5, 60))) / 1_000n
    return roundAmount(share < most ? share : most)
  }

  #openPools(): DeployedPool[] {
    return this.#world.deployment.pools.filter((pool) => this.#world.reservesOf(pool).base > 0n)
  }

  #openConcentratedPools(): DeployedConcentratedPool[] {
    return this.#world.deployment.concentrated.pools.filter(({ plan }) => !plan.outOfRange)
  }

  #price(token: DeployedToken): bigint {
    return this.#prices.get(token.address) ?? oneUsd
  }
}
