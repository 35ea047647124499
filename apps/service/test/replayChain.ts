import { type Hex, hexToBigInt } from 'viem'
import { decodeLog } from '../src/indexing/decode/decodeLog.ts'
import type { Scope } from '../src/indexing/decode/Scope.ts'
import { inRangeReserves } from '../src/pricing/inRangeReserves.ts'
import { type HandmadeChain, rpcReceipts } from './HandmadeChain.ts'
import { testAddress } from './seedChain.ts'

interface Held {
  amount: bigint
  firstIn: number | null
  initiated: number | null
}

interface Owned {
  amount: bigint
  lastIn: number | null
}

/** What a chain comes to, by keys that are the fields between spaces. */
export interface Replayed {
  readonly balances: Record<string, Held>
  readonly collectibles: Record<string, Owned>
  readonly collectiblesSeen: Record<string, number>
  readonly tokens: Record<string, string>
  readonly poolStates: Record<string, string>
  readonly sales: Record<string, bigint>
}

/** Plays a handmade chain event by event, in the plainest way, to compare what an indexer made of it. */
export function replayChain(chain: HandmadeChain, scope: Scope): Replayed {
  const replayed: Replayed = {
    ...{ balances: {}, collectibles: {}, collectiblesSeen: {}, tokens: {}, poolStates: {} },
    sales: {},
  }
  const pools = new Map<string, string>()
  const prices = new Map<string, bigint>()
  const positions = new Map<
    string,
    { pool: string; tickLower: number; tickUpper: number; liquidity: bigint }
  >()
  const zero = testAddress(0)

  for (const block of chain.blocks) {
    const { number } = block
    const see = (token: string, standard: number) => {
      replayed.tokens[token] ??= `${standard} since ${number}`
    }
    const hold = (standard: number, token: string, holder: string) =>
      (replayed.balances[`${standard} ${token} ${holder}`] ??= {
        ...{ amount: 0n, firstIn: null, initiated: null },
      })
    const own = (contract: string, id: Hex, holder: string) =>
      (replayed.collectibles[`${contract} ${hexToBigInt(id)} ${holder}`] ??= {
        amount: 0n,
        lastIn: null,
      })
    const move = (
      standard: number,
      token: string,
      parties: { from: string; to: string },
      amount: bigint,
      sender: string,
    ) => {
      const { from, to } = parties
      if (from !== zero) {
        const held = hold(standard, token, from)
        held.amount -= amount
        if (sender === from) {
          held.initiated ??= number
        }
      }
      if (to !== zero) {
        const held = hold(standard, token, to)
        held.amount += amount
        held.firstIn ??= number
      }
    }
    for (const { from: sender, logs } of rpcReceipts(block)) {
      for (const log of logs) {
        const position = {
          blockNumber: number,
          blockHash: block.hash,
          logIndex: Number(log.logIndex),
        }
        const fact = decodeLog({ ...log, ...position, transactionFrom: sender }, scope)
        switch (fact?.kind) {
          case 'transfer':
            if (fact.amount === 0n || (fact.from === zero && fact.to === zero)) {
              break
            }
            move(20, fact.token, fact, fact.amount, sender)
            see(fact.token, 20)
            break
          case 'collectible-transfer':
            for (const { tokenId, amount } of fact.items) {
              if (amount === 0n || (fact.from === zero && fact.to === zero)) {
                continue
              }
              const id = tokenId as Hex
              if (fact.from !== zero) {
                own(fact.contract, id, fact.from).amount -= amount
              }
              if (fact.to !== zero) {
                const owned = own(fact.contract, id, fact.to)
                owned.amount += amount
                owned.lastIn = number
              }
              replayed.collectiblesSeen[`${fact.contract} ${hexToBigInt(id)}`] ??= number
              if (fact.standard === 721) {
                move(721, fact.contract, fact, 1n, sender)
              }
              see(fact.contract, fact.standard)
            }
            break
          case 'sale': {
            const id = hexToBigInt(fact.tokenId as Hex)
            replayed.sales[`${fact.contract} ${id} ${number} ${position.logIndex}`] = fact.price
            break
          }
          case 'pool':
            if (pools.has(fact.address)) {
              break
            }
            pools.set(fact.address, fact.type)
            see(fact.token0, 20)
            see(fact.token1, 20)
            break
          case 'reserves':
            if (pools.get(fact.pool) === 'uniswap-v2') {
              replayed.poolStates[`${fact.pool} ${number}`] =
                `${fact.reserve0} ${fact.reserve1} null`
            }
            break
          case 'price':
          case 'liquidity': {
            const { pool } = fact
            if (pools.get(pool) !== 'uniswap-v3') {
              break
            }
            if (fact.kind === 'price') {
              prices.set(pool, fact.sqrtPrice)
            } else {
              const { tickLower, tickUpper, change } = fact
              const key = `${pool} ${tickLower} ${tickUpper}`
              const liquidity = (positions.get(key)?.liquidity ?? 0n) + change
              positions.set(key, { pool, tickLower, tickUpper, liquidity })
            }
            const sqrtPrice = prices.get(pool)
            if (sqrtPrice === undefined) {
              break
            }
            const own = [...positions.values()].filter((position) => position.pool === pool)
            const { reserve0, reserve1 } = inRangeReserves(sqrtPrice, own)
            replayed.poolStates[`${pool} ${number}`] = `${reserve0} ${reserve1} ${sqrtPrice}`
            break
          }
          case undefined:
          default:
        }
      }
    }
  }
  return { ...replayed, poolStates: withoutRepeats(replayed.poolStates) }
}

/** Without the states of a V3 pool that are those before them; V2 pools tell theirs, whatever they are. */
function withoutRepeats(poolStates: Record<string, string>): Record<string, string> {
  const newest = new Map<string, string>()
  return Object.fromEntries(
    Object.entries(poolStates).filter(([key, state]) => {
      const [pool = ''] = key.split(' ')
      const isRepeated = newest.get(pool) === state && !state.endsWith('null')
      newest.set(pool, state)
      return !isRepeated
    }),
  )
}
