import type { Log } from '../rpc/Log.ts'
import {
  decodeLiquidity,
  decodePairCreated,
  decodePoolCreated,
  decodePrice,
  decodeSync,
} from './decodePool.ts'
import { decodeSale } from './decodeSale.ts'
import { decodeTransfer, decodeTransferBatch, decodeTransferSingle } from './decodeTransfer.ts'
import type { Fact, PoolFact, SaleFact } from './Fact.ts'
import type { Scope } from './Scope.ts'
import { topics } from './topics.ts'
import { addressIn, amountAt, isWords, zeroAddress } from './words.ts'

/**
 * Tells what a log means, or undefined when it means nothing here: another event of the same name, a contract without
 * authority or out of scope, a malformed one. Anybody can write any log, so nothing in it may throw.
 */
export function decodeLog(log: Log, scope: Scope): Fact | undefined {
  const { tokens } = scope
  switch (log.topics[0]) {
    case topics.transfer:
      return !tokens || tokens.has(log.address) ? decodeTransfer(log) : undefined
    case topics.transferSingle:
      return !tokens || tokens.has(log.address) ? decodeTransferSingle(log) : undefined
    case topics.transferBatch:
      return !tokens || tokens.has(log.address) ? decodeTransferBatch(log) : undefined
    case topics.deposit:
    case topics.withdrawal:
      return !tokens || tokens.has(log.address) ? decodeWrapping(log, scope) : undefined
    case topics.sync:
      return decodeSync(log)
    case topics.swap:
      return decodePrice(log, { topics: 3, words: 5, price: 2 })
    case topics.swapWithFees:
      return decodePrice(log, { topics: 3, words: 7, price: 2 })
    case topics.mint:
      return decodeLiquidity(log, { words: 4, liquidity: 1, sign: 1n })
    case topics.burn:
      return decodeLiquidity(log, { words: 3, liquidity: 0, sign: -1n })
    case topics.initialize:
      return decodePrice(log, { topics: 1, words: 2, price: 0 })
    case topics.pairCreated:
      return scope.uniswapV2Factories.has(log.address)
        ? withinScope(decodePairCreated(log), scope)
        : undefined
    case topics.poolCreated:
      return scope.uniswapV3Factories.has(log.address)
        ? withinScope(decodePoolCreated(log), scope)
        : undefined
    case topics.orderFulfilled: {
      if (!scope.marketplaces.has(log.address)) return undefined
      const sale: SaleFact | undefined = decodeSale(log, scope.wrappedNative)
      return sale && (!tokens || tokens.has(sale.contract)) ? sale : undefined
    }
    case undefined:
    default:
      return undefined
  }
}

/** WETH9 mints and burns by `Deposit` and `Withdrawal` alone. In other contracts they mean anything. */
function decodeWrapping({ address, topics: [topic, word, ...rest], data }: Log, scope: Scope) {
  if (address !== scope.wrappedNative || !scope.countsDeposits) return undefined
  const account = addressIn(word)
  if (rest.length > 0 || !isWords(data, 1) || !account) return undefined
  const parties =
    topic === topics.deposit
      ? { from: zeroAddress, to: account }
      : { from: account, to: zeroAddress }
  return { kind: 'transfer', token: address, ...parties, amount: amountAt(data, 0) } as const
}

function withinScope(pool: PoolFact | undefined, { pooledTokens }: Scope): PoolFact | undefined {
  if (!pool || !pooledTokens) return pool
  return pooledTokens.has(pool.token0) && pooledTokens.has(pool.token1) ? pool : undefined
}
