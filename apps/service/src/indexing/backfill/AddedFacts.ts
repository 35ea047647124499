import { join } from 'node:path'
import { numberToHex } from 'viem/utils'
import type { FactsConfig } from '../../config/Config.ts'
import { ChainFacts, type Chunk } from '../../facts/ChainFacts.ts'
import { DuckDb } from '../../facts/DuckDb.ts'
import { FactsError } from '../../facts/FactsError.ts'
import type { FactKind } from '../../facts/factTables.ts'
import type { LogWithSender } from '../../rpc/methods/Log.ts'
import { type PoolRow, toPoolEvent, toRows } from '../bulk/foldPools.ts'
import { createFactViews, type FactFiles } from '../bulk/foldQueries.ts'
import { addsBalancesPools, createIndexedPools, selectAddedEvents } from '../bulk/poolQueries.ts'
import type { DecodedEvent } from '../decode/DecodedEvent.ts'
import { decodeLog } from '../decode/decodeLog.ts'
import { createAddedScope, type Scope } from '../decode/Scope.ts'
import type { StoredScope } from '../decode/StoredScope.ts'
import { zeroAddress } from '../decode/words.ts'
import type { DecodedBlocks } from '../fold/BatchBuilder.ts'
import type { Cursor } from '../follow/Cursor.ts'
import { repairFacts, type RepairOptions } from './repairFacts.ts'

/** Events that are applied together, with the rest of their last block. */
const eventsPerPart = 10_000

interface AddedFactsOptions extends RepairOptions {
  readonly facts: FactsConfig
  readonly cursor: Cursor
  /** The scope that the chain has afterwards. */
  readonly target: StoredScope
}

/** The kinds of facts that are read. */
function getKinds(indexed: StoredScope, target: StoredScope): FactKind[] {
  const added: FactKind[] = ['blocks', 'pools', 'pool_events', 'sales']
  return addsBalancesPools(indexed, target) ? [...added, 'pool_logs'] : added
}

/** The columns of `selectAddedEvents`: those of pools, and what other events have. */
type AddedRow = readonly [...PoolRow<PoolRow[3] | 'log' | 'sale'>, ...Tail]
type Tail = [
  hash: string,
  logIndex: number,
  emitter: string | null,
  topics: string | null,
  data: string | null,
  contract: string | null,
  tokenId: string | null,
  price: string | null,
]
const poolColumnCount = 15

interface AddedBlocks extends DecodedBlocks {
  /** There are no other events up to this block. */
  readonly last: number
}

/** The events of pools and sales that a configuration adds to a chain, from the facts of its final blocks. */
export class AddedFacts {
  /** The latest block with facts. */
  readonly last: { readonly number: number; readonly hash: string }
  readonly #options: AddedFactsOptions
  readonly #facts: ChainFacts
  readonly #chunks: readonly Chunk[]
  readonly #duckDb: DuckDb

  private constructor(
    options: AddedFactsOptions,
    facts: ChainFacts,
    chunks: readonly Chunk[],
    duckDb: DuckDb,
  ) {
    const { to: number, hash } = chunks.at(-1) as Chunk
    this.last = { number, hash }
    this.#options = options
    this.#facts = facts
    this.#chunks = chunks
    this.#duckDb = duckDb
  }

  /**
   * Opens the facts of blocks after one, up to another.
   *
   * @returns undefined when there are none of the blocks in the store.
   */
  static async open(
    options: AddedFactsOptions,
    { after, to }: { readonly after: number; readonly to: number },
    signal: AbortSignal,
  ): Promise<AddedFacts | undefined> {
    const { facts: config, cursor, target } = options
    const facts = await openFacts(options)
    if (!facts || facts.all.length === 0) {
      await facts?.close()
      return undefined
    }
    // Not that of the writer of facts, which may be running.
    const folder = join(facts.workFolder, 'spill-added')
    let duckDb: DuckDb | undefined
    let added: AddedFacts | undefined
    try {
      duckDb = await DuckDb.open({ folder, memoryLimit: config.memoryLimit })
      const kinds = getKinds(cursor.scope, target)
      const chunks = await repairFacts(options, { facts, duckDb }, { to, kinds }, signal)
      const last = chunks.at(-1)
      if (last && last.to > after) {
        const views = createFactViews(await facts.load(['pools'], chunks, signal))
        for (const statement of [...views, createIndexedPools(target, cursor.scope.pools)]) {
          await duckDb.run(statement, signal)
        }
        added = new AddedFacts(options, facts, chunks, duckDb)
      }
      return added
    } finally {
      if (!added) {
        duckDb?.close()
        await facts.close()
      }
    }
  }

  /**
   * Yields the blocks with events after a block, in their order, and never a part of one. A chunk at a time is sorted, so
   * that a retry does not sort the others again.
   */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<AddedBlocks, void, undefined> {
    const read = getKinds(this.#options.cursor.scope, this.#options.target)
    // The indexed pools of all chunks are a table already.
    const kinds = read.filter((kind) => kind !== 'pools')
    const none: FactFiles = { pool_logs: [] }
    for (const chunk of this.#chunks.filter(({ to }) => to > after)) {
      const files = await this.#facts.load(kinds, [chunk], signal)
      for (const statement of createFactViews({ ...none, ...files })) {
        await this.#duckDb.run(statement, signal)
      }
      yield* this.#readChunk(chunk, after, signal)
    }
  }

  async *#readChunk(
    { to }: Chunk,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<AddedBlocks, void, undefined> {
    const { chain, cursor, target } = this.#options
    const scope = createAddedScope(chain, cursor.scope, target)
    let part = createPart()
    const query = selectAddedEvents(cursor.scope, target, after)
    for await (const columns of this.#duckDb.stream(query, signal)) {
      for (const row of toRows<AddedRow>(columns)) {
        const log = toLog(row)
        const { blockNumber: number, blockHash: hash } = log
        if (number !== part.blocks.at(-1)?.number) {
          if (part.events.length >= eventsPerPart) {
            yield { ...part, last: number - 1 }
            part = createPart()
          }
          part.blocks.push({ number, hash, time: Number(row[2]) })
        }
        const event = toEvent(row, log, scope)
        if (event) {
          part.events.push({ event, log })
        }
      }
    }
    yield { ...part, last: to }
  }

  async close(): Promise<void> {
    this.#duckDb.close()
    await this.#facts.close()
  }
}

function createPart() {
  const blocks: DecodedBlocks['blocks'][number][] = []
  const events: DecodedBlocks['events'][number][] = []
  return { blocks, events }
}

/** @returns undefined when they are those of other settings. */
async function openFacts({ chain, facts, cursor, logger }: AddedFactsOptions) {
  const { genesisHash, scope } = cursor
  try {
    const { ledger } = scope
    return await ChainFacts.open(facts, { chainId: chain.id, genesisHash, ledger })
  } catch (error) {
    if (!(error instanceof FactsError)) {
      throw error
    }
    logger.warn({ err: error }, 'the facts cannot be read; adding pools and sales from the nodes')
    return undefined
  }
}

function toLog(row: AddedRow): LogWithSender {
  const [hash, logIndex, emitter, topics, data] = row.slice(poolColumnCount) as Tail
  return {
    blockNumber: Number(row[1]),
    blockHash: `0x${hash}`,
    logIndex,
    address: `0x${emitter ?? ''}`,
    topics: topics?.split(',').map((topic) => `0x${topic}`) ?? [],
    data: `0x${data ?? ''}`,
    // No event of pools and sales depends on it.
    transactionFrom: zeroAddress,
  }
}

function toEvent(row: AddedRow, log: LogWithSender, scope: Scope): DecodedEvent | undefined {
  if (row[3] === 'log') {
    return decodeLog(log, scope)
  }
  if (row[3] !== 'sale') {
    return toPoolEvent(row.slice(0, poolColumnCount) as unknown as PoolRow)
  }
  const [contract, tokenId, price] = row.slice(poolColumnCount + 5) as string[]
  return {
    kind: 'sale',
    marketplace: log.address,
    contract: `0x${contract}`,
    tokenId: numberToHex(BigInt(tokenId ?? 0), { size: 32 }),
    price: BigInt(price ?? 0),
  }
}
