import { type Address, encodeFunctionData, type Hex, maxUint256, zeroAddress } from 'viem'
import { erc20Abi, routerAbi } from '../contracts/abi.ts'
import type { DeployedPool, Deployment } from './Deployment.ts'
import { Gallery } from './Gallery.ts'
import { Ledger } from './Ledger.ts'
import type { PlannedTransaction } from './PlannedTransaction.ts'
import { amountOut, amountsToAdd, minimumLiquidity, sharesMinted } from './swapMath.ts'
import { VenueTrades } from './venues/VenueTrades.ts'

/** The reserves of a pair; 0 before it has liquidity. */
export interface Reserves {
  base: bigint
  quote: bigint
}

/** The deadline of swaps and mints, which never expires. */
const deadline = maxUint256

/** An upper estimate of the cost of a transaction in wei; planned native balances are not exact. */
const feeAllowance = 10n ** 15n

/**
 * A model of the chain: balances, reserves, approvals. Every method changes the model exactly as
 * the contracts will, and adds the transactions that change the chain. A past can therefore be planned without a node and
 * with exact amounts.
 */
export class World {
  readonly deployment: Deployment
  readonly ledger = new Ledger()
  readonly gallery = new Gallery()
  readonly venueTrades = new VenueTrades()
  readonly native = new Map<Address, bigint>()
  readonly reserves = new Map<Address, Reserves>()
  /** `sqrtPriceX96` of Uniswap V3 pools, where known. */
  readonly squareRootPrices = new Map<Address, bigint>()
  /** The id of the latest position of Uniswap V3; ids start at 1. */
  positions = 0n
  /** `owner/token` for approvals of the router, `owner/token/spender` for other spenders. */
  readonly approvals = new Set<string>()
  #transactions: PlannedTransaction[] = []

  constructor(deployment: Deployment) {
    this.deployment = deployment
  }

  /** The transactions added since the last call, in execution order. */
  takeTransactions(): PlannedTransaction[] {
    const taken = this.#transactions
    this.#transactions = []
    return taken
  }

  reservesOf(pool: DeployedPool): Reserves {
    return this.reserves.get(pool.address) ?? { base: 0n, quote: 0n }
  }

  nativeOf(holder: Address): bigint {
    return this.native.get(holder) ?? 0n
  }

  /** Deploys a contract; `supply` is what its constructor mints, and the recipient. */
  deploy(
    from: Address,
    code: Hex,
    supply?: { token: Address; holder: Address; amount: bigint },
  ): void {
    this.write({ from, to: undefined, data: code, value: 0n, gas: 9_000_000 })
    if (supply) {
      this.ledger.mint(supply.token, supply.holder, supply.amount)
    }
  }

  /** Sends native tokens, in wei. */
  send(from: Address, to: Address, value: bigint): void {
    this.write({ from, to, data: '0x', value, gas: 21_000 })
    this.native.set(to, this.nativeOf(to) + value)
  }

  transfer(token: Address, from: Address, to: Address, amount: bigint): void {
    this.ledger.move(token, from, to, amount)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    this.write({ from, to: token, data, value: 0n, gas: 90_000 })
  }

  /** Wraps native tokens. WETH9 emits Deposit and no Transfer. */
  deposit(from: Address, value: bigint): void {
    const token = this.deployment.wrappedNative.address
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'deposit' })
    this.write({ from, to: token, data, value, gas: 60_000 })
    this.ledger.mint(token, from, value)
  }

  /** Unwraps native tokens. WETH9 emits Withdrawal and no Transfer. */
  withdraw(from: Address, amount: bigint): void {
    const token = this.deployment.wrappedNative.address
    this.ledger.burn(token, from, amount)
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'withdraw', args: [amount] })
    this.write({ from, to: token, data, value: 0n, gas: 60_000 })
    this.native.set(from, this.nativeOf(from) + amount)
  }

  /** Adds at most these amounts to a pool in the ratio of its reserves; an empty pool takes both amounts. */
  addLiquidity(pool: DeployedPool, from: Address, base: bigint, quote: bigint): void {
    const reserves = this.reservesOf(pool)
    const [a, b] = amountsToAdd(base, quote, reserves.base, reserves.quote)
    const total = this.ledger.totalOf(pool.address)
    const shares = sharesMinted([a, b], [reserves.base, reserves.quote], total)
    this.approve(from, pool.base.address)
    this.approve(from, pool.quote.address)
    this.ledger.move(pool.base.address, from, pool.address, a)
    this.ledger.move(pool.quote.address, from, pool.address, b)
    if (total === 0n) {
      this.ledger.mint(pool.address, zeroAddress, minimumLiquidity)
    }
    this.ledger.mint(pool.address, from, shares)
    this.reserves.set(pool.address, { base: reserves.base + a, quote: reserves.quote + b })
    const data = encodeFunctionData({
      abi: routerAbi,
      functionName: 'addLiquidity',
      args: [pool.base.address, pool.quote.address, base, quote, 0n, 0n, from, deadline],
    })
    this.write({ from, to: this.deployment.router, data, value: 0n, gas: 3_500_000 })
  }

  /** Burns shares of a pool and withdraws both tokens. */
  removeLiquidity(pool: DeployedPool, from: Address, shares: bigint): void {
    const reserves = this.reservesOf(pool)
    const total = this.ledger.totalOf(pool.address)
    const base = (shares * reserves.base) / total
    const quote = (shares * reserves.quote) / total
    this.approve(from, pool.address)
    this.ledger.burn(pool.address, from, shares)
    this.ledger.move(pool.base.address, pool.address, from, base)
    this.ledger.move(pool.quote.address, pool.address, from, quote)
    this.reserves.set(pool.address, { base: reserves.base - base, quote: reserves.quote - quote })
    const data = encodeFunctionData({
      abi: routerAbi,
      functionName: 'removeLiquidity',
      args: [pool.base.address, pool.quote.address, shares, 0n, 0n, from, deadline],
    })
    this.write({ from, to: this.deployment.router, data, value: 0n, gas: 400_000 })
  }

  /**
   * Swaps an exact amount along a route of pools.
   *
   * @returns the output amount; 0 if the swap would pay nothing and is skipped
   * @throws {RangeError} when a pool of the route does not trade the token that reaches it
   */
  swap(route: readonly DeployedPool[], from: Address, tokenIn: Address, amountIn: bigint): bigint {
    const path = [tokenIn]
    const amounts = [amountIn]
    let token = tokenIn
    let amount = amountIn
    for (const pool of route) {
      const { base, quote } = this.reservesOf(pool)
      const sellsBase = pool.base.address === token
      if (!sellsBase && pool.quote.address !== token) {
        throw new RangeError(`The pair ${pool.address} does not trade ${token}`)
      }
      amount = sellsBase ? amountOut(amount, base, quote) : amountOut(amount, quote, base)
      if (amount === 0n) {
        return 0n
      }
      token = sellsBase ? pool.quote.address : pool.base.address
      path.push(token)
      amounts.push(amount)
    }
    this.approve(from, tokenIn)
    let holder = from
    for (const [index, pool] of route.entries()) {
      const paid = amounts[index] ?? 0n
      this.ledger.move(path[index] ?? tokenIn, holder, pool.address, paid)
      const { base, quote } = this.reservesOf(pool)
      const out = amounts[index + 1] ?? 0n
      const next =
        pool.base.address === path[index]
          ? { base: base + paid, quote: quote - out }
          : { base: base - out, quote: quote + paid }
      this.reserves.set(pool.address, next)
      holder = pool.address
    }
    this.ledger.move(token, holder, from, amount)
    const data = encodeFunctionData({
      abi: routerAbi,
      functionName: 'swapExactTokensForTokens',
      args: [amountIn, 0n, path, from, deadline],
    })
    const gas = 150_000 + 130_000 * route.length
    this.write({ from, to: this.deployment.router, data, value: 0n, gas })
    return amount
  }

  /** Approves a spender, by default the router, unless it is approved already. */
  approve(owner: Address, token: Address, spender = this.deployment.router): void {
    const key = `${owner}/${token}${spender === this.deployment.router ? '' : `/${spender}`}`
    if (this.approvals.has(key)) {
      return
    }
    this.approvals.add(key)
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [spender, maxUint256],
    })
    this.write({ from: owner, to: token, data, value: 0n, gas: 80_000 })
  }

  /** Adds a transaction without changing the model; the caller must update it. */
  write(transaction: PlannedTransaction): void {
    this.#transactions.push(transaction)
    const spent = transaction.value + feeAllowance
    this.native.set(transaction.from, this.nativeOf(transaction.from) - spent)
  }
}
