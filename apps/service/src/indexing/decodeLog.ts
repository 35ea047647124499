import type { Log } from '../rpc/Log.ts'
import type { Fact } from './Fact.ts'
import { topics } from './topics.ts'

/** The contracts whose word counts. Addresses are lower case. */
export interface Scope {
  readonly wrappedNative?: string
  readonly wrappedNativeEmitsTransfers: boolean
  readonly uniswapV2Factories: readonly string[]
}

/** Never holds anything: tokens come from it and go to it. */
export const zeroAddress = `0x${'0'.repeat(40)}`

/**
 * Tells what a log means, or undefined when it means nothing here: another event of the same name, a contract without
 * authority, a malformed one. Anybody can write any log, so nothing in it may throw.
 *
 * The shapes are fixed, so slices do; a general ABI decoder costs most of the indexing time.
 */
export function decodeLog(log: Log, scope: Scope): Fact | undefined {
  switch (log.topics[0]) {
    case topics.transfer: {
      // An ERC721 transfer has the same first topic, and its token id in a fourth one.
      const from = addressIn(log.topics[1])
      const to = addressIn(log.topics[2])
      if (log.topics.length !== 3 || !isWords(log.data, 1) || !from || !to) return undefined
      return { kind: 'transfer', token: log.address, from, to, amount: amountAt(log.data, 0) }
    }
    case topics.deposit:
    case topics.withdrawal: {
      // WETH9 mints and burns by these events alone. In other contracts they mean anything.
      const account = addressIn(log.topics[1])
      if (log.address !== scope.wrappedNative || scope.wrappedNativeEmitsTransfers) return undefined
      if (log.topics.length !== 2 || !isWords(log.data, 1) || !account) return undefined
      const isDeposit = log.topics[0] === topics.deposit
      return {
        kind: 'transfer',
        token: log.address,
        from: isDeposit ? zeroAddress : account,
        to: isDeposit ? account : zeroAddress,
        amount: amountAt(log.data, 0),
      }
    }
    case topics.pairCreated: {
      const token0 = addressIn(log.topics[1])
      const token1 = addressIn(log.topics[2])
      if (!scope.uniswapV2Factories.includes(log.address)) return undefined
      if (log.topics.length !== 3 || !isWords(log.data, 2) || !token0 || !token1) return undefined
      const address = addressIn(log.data.slice(0, 66))
      if (!address) return undefined
      return { kind: 'pool', address, factory: log.address, token0, token1 }
    }
    case topics.sync:
      if (log.topics.length !== 1 || !isWords(log.data, 2)) return undefined
      return {
        kind: 'reserves',
        pool: log.address,
        reserve0: amountAt(log.data, 0),
        reserve1: amountAt(log.data, 1),
      }
    case undefined:
    default:
      return undefined
  }
}

const addressPadding = `0x${'0'.repeat(24)}`

function addressIn(word: string | undefined): string | undefined {
  return word?.startsWith(addressPadding) ? `0x${word.slice(26)}` : undefined
}

function isWords(data: string, count: number): boolean {
  return data.length === 2 + 64 * count
}

function amountAt(data: string, word: number): bigint {
  return BigInt(`0x${data.slice(2 + 64 * word, 66 + 64 * word)}`)
}
