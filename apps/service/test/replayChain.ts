import { type Hex, hexToBigInt, numberToHex } from 'viem'
import type { CollectibleTransferEvent } from '../src/indexing/decode/DecodedEvent.ts'
import { decodeLog } from '../src/indexing/decode/decodeLog.ts'
import type { Scope } from '../src/indexing/decode/Scope.ts'
import { ConcentratedLiquidity } from '../src/pricing/ConcentratedLiquidity.ts'
import { getPoolModel } from '../src/pricing/venues/venues.ts'
import { type FakeChain, rpcReceipts } from './FakeChain.ts'
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

/** The state of a chain. Keys are fields separated by spaces. */
export interface Replayed {
  readonly balances: Record<string, Held>
  readonly collectibles: Record<string, Owned>
  readonly collectiblesSeen: Record<string, number>
  readonly tokens: Record<string, string>
  readonly poolStates: Record<string, string>
  readonly sales: Record<string, bigint>
}

/** Applies the events of a fake chain one by one. The result is compared with the rows of an indexer. */
export function replayChain(chain: FakeChain, scope: Scope): Replayed {
  const replayed: Replayed = {
    balances: {},
    collectibles: {},
    collectiblesSeen: {},
    tokens: {},
    poolStates: {},
    sales: {},
  }
  const models = new Map<string, string>()
  const prices = new Map<string, bigint>()
  const positions = new Map<
    string,
    { pool: string; tickLower: number; tickUpper: number; liquidity: bigint }
  >()
  const zero = testAddress(0)
  /** Of ERC721 tokens, by contract and id. */
  const owners = new Map<string, string>()

  for (const block of chain.blocks) {
    const { number } = block
    const addToken = (token: string, standard: number) => {
      replayed.tokens[token] ??= `${standard} since ${number}`
    }
    const hold = (standard: number, token: string, holder: string) =>
      (replayed.balances[`${standard} ${token} ${holder}`] ??= {
        amount: 0n,
        firstIn: null,
        initiated: null,
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
    const transferCollectibles = (
      event: Omit<CollectibleTransferEvent, 'kind'>,
      sender: string,
    ) => {
      for (const { tokenId, amount } of event.items) {
        if (amount === 0n || (event.from === zero && event.to === zero)) {
          continue
        }
        const id = tokenId as Hex
        const item = `${event.contract} ${hexToBigInt(id)}`
        if (event.standard === 721) {
          // The previous owner loses the token, which need not be the sender.
          const owner = owners.get(item) ?? zero
          owners.set(item, event.to)
          if (owner !== zero) {
            own(event.contract, id, owner).amount -= 1n
            hold(721, event.contract, owner).amount -= 1n
          }
          if (event.from !== zero && event.from === sender) {
            hold(721, event.contract, event.from).initiated ??= number
          }
          move(721, event.contract, { from: zero, to: event.to }, 1n, sender)
        } else if (event.from !== zero) {
          own(event.contract, id, event.from).amount -= amount
        }
        if (event.to !== zero) {
          const owned = own(event.contract, id, event.to)
          owned.amount += amount
          owned.lastIn = number
        }
        replayed.collectiblesSeen[item] ??= number
        addToken(event.contract, event.standard)
      }
    }
    let consecutive = 0
    for (const { from: sender, logs } of rpcReceipts(block)) {
      for (const log of logs) {
        const position = {
          blockNumber: number,
          blockHash: block.hash,
          logIndex: Number(log.logIndex),
        }
        const event = decodeLog({ ...log, ...position }, scope)
        switch (event?.kind) {
          case 'transfer':
            if (event.amount === 0n || (event.from === zero && event.to === zero)) {
              break
            }
            move(20, event.token, event, event.amount, sender)
            addToken(event.token, 20)
            break
          case 'collectible-transfer':
            transferCollectibles(event, sender)
            break
          case 'consecutive-transfer': {
            const count = event.lastId - event.firstId + 1n
            if (count > 5000n || consecutive + Number(count) > 20_000) {
              addToken(event.contract, 721)
              break
            }
            consecutive += Number(count)
            const items = Array.from({ length: Number(count) }, (_, index) => ({
              tokenId: numberToHex(event.firstId + BigInt(index), { size: 32 }),
              amount: 1n,
            }))
            transferCollectibles({ ...event, standard: 721, items }, sender)
            break
          }
          case 'deposit':
            if (event.account !== zero) {
              hold(20, event.token, event.account)
              addToken(event.token, 20)
            }
            break
          case 'sale': {
            const id = hexToBigInt(event.tokenId as Hex)
            replayed.sales[`${event.contract} ${id} ${number} ${position.logIndex}`] = event.price
            break
          }
          case 'pool':
            if (models.has(event.address)) {
              break
            }
            models.set(event.address, getPoolModel(event.type).state)
            for (const token of event.tokens) {
              addToken(token, 20)
            }
            if (event.sqrtPrice !== undefined) {
              prices.set(event.address, event.sqrtPrice)
              // It has no liquidity yet.
              replayed.poolStates[`${event.address} ${number}`] = `0 0 ${event.sqrtPrice}`
            }
            break
          case 'reserves':
            if (models.get(event.pool) === 'reserves') {
              replayed.poolStates[`${event.pool} ${number}`] =
                `${event.reserve0} ${event.reserve1} null`
            }
            break
          case 'price':
          case 'liquidity': {
            const { pool } = event
            if (models.get(pool) !== 'concentrated') {
              break
            }
            if (event.kind === 'price') {
              prices.set(pool, event.sqrtPrice)
            } else {
              const { tickLower, tickUpper, change } = event
              const key = `${pool} ${tickLower} ${tickUpper}`
              const liquidity = (positions.get(key)?.liquidity ?? 0n) + change
              positions.set(key, { pool, tickLower, tickUpper, liquidity })
            }
            const sqrtPrice = prices.get(pool)
            if (sqrtPrice === undefined) {
              break
            }
            const own = new ConcentratedLiquidity()
            for (const position of positions.values()) {
              if (position.pool === pool) {
                own.add(position, position.liquidity)
              }
            }
            const { reserve0, reserve1 } = own.getReserves(sqrtPrice)
            replayed.poolStates[`${pool} ${number}`] = `${reserve0} ${reserve1} ${sqrtPrice}`
            break
          }
          // The chains that are replayed have no pools whose state is read by calls.
          case 'registration':
          case 'touch':
          case 'unread-pool':
          case 'retried-pool':
          case undefined:
          default:
        }
      }
    }
  }
  return { ...replayed, poolStates: withoutRepeats(replayed.poolStates) }
}

/** Removes states of a V3 pool that equal the state before; a V2 pool emits every state itself. */
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
