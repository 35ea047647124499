import { type PriceFeed, toRegistration } from '../../pricing/feeds/chainlink.ts'
import type { CallContracts, PoolEvent, PoolRegistration } from '../../pricing/venues/Venue.ts'
import { getPoolModel } from '../../pricing/venues/venues.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import type { LogWithSender } from '../../rpc/methods/Log.ts'
import type { DecodedEvent } from '../decode/DecodedEvent.ts'
import type { PoolState } from './ChangeSet.ts'
import type { PoolReader } from './PoolReader.ts'
import type { BalancesPool, PoolRegistry } from './PoolRegistry.ts'
import type { RetriedPool } from './unreadPools.ts'

/**
 * The latest blocks whose states all nodes have: half of those that geth keeps, as the head is some blocks old when a batch
 * is read. A node without such a state lags.
 */
const keptStates = 64

/** An event and its log. */
export interface DecodedLog<Event extends DecodedEvent = DecodedEvent> {
  readonly event: Event
  readonly log: LogWithSender
}

/** The blocks of some logs, and what is known of pools before them. */
interface ReadContext {
  /** By number, in their order. */
  readonly blocks: ReadonlyMap<number, BlockRef & { readonly time: number }>
  /** By block; a pool keeps its last state of each. */
  readonly periods: ReadonlyMap<number, string>
  readonly pools: PoolRegistry
  readonly reader: PoolReader
  /** The latest block of the nodes. */
  readonly head: number
  readonly priceFeeds: ReadonlyMap<string, PriceFeed>
  readonly retried: ReadonlyMap<PoolRegistration, RetriedPool>
}

/** Whether all nodes have the state of a block. */
export function isKept(block: number, head: number): boolean {
  return block > head - keptStates
}

/** Adds the registrations of the feeds and of earlier pools that are read at the blocks, after the events of these. */
export function addRegistrations(
  decoded: readonly DecodedLog[],
  { blocks, priceFeeds, retried }: Pick<ReadContext, 'blocks' | 'priceFeeds' | 'retried'>,
): readonly DecodedLog[] {
  const feeds = [...blocks.values()].flatMap(({ number: blockNumber, hash: blockHash }) =>
    [...priceFeeds.values()]
      .filter(({ everyBlocks }) => blockNumber % everyBlocks === 0)
      .map((feed): DecodedLog => {
        const { address } = feed
        const place = { blockNumber, blockHash, logIndex: -1, transactionFrom: address }
        return { event: toRegistration(feed), log: { ...place, address, topics: [], data: '0x' } }
      }),
  )
  const added = [...feeds, ...[...retried].map(([event, { log }]): DecodedLog => ({ event, log }))]
  return added.length === 0
    ? decoded
    : [...decoded, ...added].sort((a, b) => a.log.blockNumber - b.log.blockNumber)
}

type Registered = Exclude<DecodedEvent, PoolRegistration>

function isRegistered(decoded: DecodedLog): decoded is DecodedLog<Registered> {
  return decoded.event.kind !== 'registration'
}

/**
 * Reads the pools of registrations: they become creations of pools, or events of pools that exist.
 *
 * @param decoded - in the chain's order.
 * @returns the events, and the addresses of the created pools.
 */
export async function readRegistrations(
  decoded: readonly DecodedLog[],
  context: ReadContext,
  isIndexed: (pool: PoolEvent) => boolean,
): Promise<{
  readonly decoded: readonly DecodedLog<Registered>[]
  readonly created: ReadonlySet<string>
}> {
  const { pools, priceFeeds, retried } = context
  if (decoded.every(isRegistered)) {
    return { decoded, created: new Set() }
  }
  const registrations = decoded.filter(
    (each): each is DecodedLog<PoolRegistration> =>
      each.event.kind === 'registration' &&
      (retried.has(each.event) || !pools.findBalancesPool(each.event.pool ?? '')),
  )
  const following = countFollowing(registrations, retried)
  const tasks = registrations.map(({ event, log }, index) =>
    createTask(context, log.blockNumber, async (call: CallContracts) => {
      if (retried.has(event) && event.readLater) {
        return await event.readLater(call)
      }
      const pool = await event.read(call, following[index] ?? 0)
      return pool ? [pool] : []
    }),
  )
  const read = await context.reader.read(tasks)
  const results = new Map(registrations.map(({ event }, index) => [event, read[index]]))
  const created = new Set<string>()
  return {
    decoded: decoded.flatMap(({ event, log }): DecodedLog<Registered>[] => {
      if (event.kind !== 'registration') {
        return [{ event, log }]
      }
      // Undefined where no node has the state of the block.
      const found = results.get(event)
      const added = (found ?? []).filter(
        (pool) => (priceFeeds.has(pool.address) || isIndexed(pool)) && !created.has(pool.address),
      )
      added.forEach(({ address }) => created.add(address))
      const events: Registered[] = [...added]
      const earlier = retried.get(event)
      if (found && earlier) {
        events.push({ kind: 'retried-pool', ...earlier.place })
      } else if (results.has(event) && !found && event.pool !== log.address) {
        // A contract that registers itself does so with each of its events.
        events.push({ kind: 'unread-pool', registration: log })
      }
      if (added.length === 0 && event.pool) {
        events.push({ kind: 'touch', pool: event.pool })
      }
      return events.map((each) => ({ event: each, log }))
    }),
    created,
  }
}

/** How many registrations of the same factory follow each in its block. Those that are retried are of earlier blocks. */
function countFollowing(
  registrations: readonly DecodedLog<PoolRegistration>[],
  retried: ReadContext['retried'],
): number[] {
  const counts = new Map<string, number>()
  return registrations
    .toReversed()
    .map(({ event, log }) => {
      const key = `${log.blockNumber} ${event.factory}`
      const count = counts.get(key) ?? 0
      counts.set(key, retried.has(event) ? count : count + 1)
      return count
    })
    .toReversed()
}

/**
 * Reads the states of the pools that events created or touched, once per pool and period.
 *
 * @returns by block.
 */
export async function readStates(
  decoded: readonly DecodedLog<Registered>[],
  context: ReadContext,
): Promise<Map<number, PoolState[]>> {
  const created = new Map<string, BalancesPool>()
  const wanted = new Map<string, { readonly pool: BalancesPool; readonly block: number }>()
  for (const { event, log } of decoded) {
    if (event.kind === 'pool' && getPoolModel(event.type).state === 'balances') {
      created.set(event.address, event)
    } else if (event.kind !== 'touch') {
      continue
    }
    const address = event.kind === 'pool' ? event.address : event.pool
    const pool = context.pools.findBalancesPool(address) ?? created.get(address)
    if (pool && !(event.kind === 'touch' && isForeign(event, pool))) {
      const period = context.periods.get(log.blockNumber) ?? ''
      wanted.set(period + address, { pool, block: log.blockNumber })
    }
  }
  const all = [...wanted.values()]
  const read = await context.reader.read(
    all.map(({ pool, block }) =>
      createTask(context, block, async (call: CallContracts, { time }) => {
        const { heartbeatSeconds } = context.priceFeeds.get(pool.address) ?? {}
        return await getPoolModel(pool.type).readBalances?.(pool, call, { time, heartbeatSeconds })
      }),
    ),
  )
  const states = all.map(({ pool, block }, index): PoolState => {
    // An unknown state has no price, and does not leave the one before in force.
    const none = pool.tokens.map(() => 0n)
    const state = read[index] ?? { balances: none, prices: none }
    const [reserve0 = 0n, reserve1 = 0n] = state.balances
    return { pool: pool.address, block, reserve0, reserve1, sqrtPrice: null, read: state }
  })
  return Map.groupBy(states, ({ block }) => block)
}

/** Any contract can emit an event that names a pool. */
function isForeign({ emitter }: { readonly emitter?: string }, pool: BalancesPool): boolean {
  return emitter !== undefined && pool.emitter !== undefined && emitter !== pool.emitter
}

function createTask<Result>(
  { blocks, head }: ReadContext,
  number: number,
  run: (call: CallContracts, block: BlockRef & { readonly time: number }) => Promise<Result>,
) {
  const block = blocks.get(number)
  if (!block) {
    throw new Error(`The block ${number} of a log is missing`)
  }
  return {
    block,
    isPrunable: !isKept(number, head),
    run: (call: CallContracts) => run(call, block),
  }
}
