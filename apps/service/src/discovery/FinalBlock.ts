import { type Kysely, sql, type Transaction } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { TimedBlock } from '../rpc/methods/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import { msPerMinute } from '../time.ts'

/** As the store has it. */
interface StoredBlock extends TimedBlock {
  /** Changes when what was found is deleted. */
  readonly searchId: string
}

interface Options {
  readonly chain: Pick<ChainConfig, 'id' | 'finalityDepth'>
  readonly node: Pick<ChainNode, 'getHeader' | 'someNodeHas'>
  readonly db: Kysely<Database>
}

/** A comparison is repeated after this time, or after this number of blocks. */
const maxAgeMs = msPerMinute
const maxBlocks = 32
const timeoutMs = 5_000

/**
 * The latest block that searches take for final, by which a chain is recognized. If another block is in its place, the chain was
 * replaced, such as a local one that was restarted, or had a reorg deeper than `finalityDepth`: what was found in the blocks
 * up to it may be wrong.
 */
export class FinalBlock {
  readonly #options: Options
  #block: StoredBlock | undefined
  /** The head at the last comparison, and when that was. */
  #compared: { readonly number: number; readonly at: number } | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** The number of the latest block that is final at a head, and not above the one that is compared; -1 for none. */
  getNumber(head: number): number {
    return Math.min(head - this.#options.chain.finalityDepth, this.#block?.number ?? -1)
  }

  /**
   * Whether it is to be compared before a response at a head: at first, and when nodes were unreachable or the head is lower,
   * as the chain may be another one since; or `soon`, during a response.
   */
  isDue(head: number): 'before' | 'soon' | undefined {
    if (!this.#compared || head < this.#compared.number) {
      return 'before'
    }
    const { number, at } = this.#compared
    return head - number >= maxBlocks || performance.now() - at > maxAgeMs ? 'soon' : undefined
  }

  /** Compares it before the next response. */
  invalidate(): void {
    this.#compared = undefined
  }

  /**
   * Compares it with the chain, and replaces it by a later one.
   *
   * @returns the id of the searches to delete, if the chain has another block; `deleted` if another process deleted them.
   * @throws {NodeError} when no node responds, or not all of them do if one has another block.
   * @throws {unknown} when the store is unavailable.
   */
  async compare(head: TimedBlock): Promise<'same' | 'deleted' | { readonly replaced: string }> {
    const { chain, db, node } = this.#options
    const stored = await loadBlock(db, chain.id)
    if (this.#block && this.#block.searchId !== stored?.searchId) {
      return 'deleted'
    }
    if (stored && !(await this.#isPart(stored, head))) {
      return { replaced: stored.searchId }
    }
    const number = head.number - chain.finalityDepth
    const signal = AbortSignal.timeout(timeoutMs)
    const header =
      number > (stored?.number ?? -1) ? await node.getHeader(number, signal) : undefined
    if (header) {
      await storeBlock(db, chain.id, header)
    }
    // In the store first, as blocks up to it are searched from then on.
    this.#block = header ? await loadBlock(db, chain.id) : stored
    this.#compared = { number: head.number, at: performance.now() }
    return 'same'
  }

  /** Whether nothing that was found was deleted since. Until the end of the transaction, nothing is. */
  async isCurrent(transaction: Transaction<Database>): Promise<boolean> {
    const { rows } = await sql<{ search_id: string }>`
      select search_id from searched_chains
      where chain_id = ${this.#options.chain.id}::bigint for share`.execute(transaction)
    return rows[0]?.search_id === this.#block?.searchId
  }

  /** Whether a chain with this head has a block. One without a block of its number may have deleted it. */
  async #isPart(block: TimedBlock, head: TimedBlock): Promise<boolean> {
    if (head.number < block.number) {
      // Later blocks have later times, so that a shorter chain with a later head is another one, not a node that lags.
      return head.time <= block.time
    }
    const { node } = this.#options
    const signal = AbortSignal.timeout(timeoutMs)
    const header = await node.getHeader(block.number, signal)
    return !header || header.hash === block.hash || (await node.someNodeHas(block, signal))
  }
}

async function loadBlock(db: Kysely<Database>, chainId: number): Promise<StoredBlock | undefined> {
  const row = await db
    .selectFrom('searched_chains')
    .selectAll()
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
  return (
    row && {
      number: row.block_number,
      time: row.block_time,
      hash: toHex(row.block_hash),
      searchId: row.search_id,
    }
  )
}

/** Replaces the block of a chain, unless another process has stored a later one. */
async function storeBlock(
  db: Kysely<Database>,
  chainId: number,
  { number, hash, time }: TimedBlock,
): Promise<void> {
  await sql`
    insert into searched_chains as stored (chain_id, block_number, block_time, block_hash)
    values (${chainId}::bigint, ${number}::bigint, ${time}::bigint, ${fromHex(hash)}::bytea)
    on conflict (chain_id) do update set
      block_number = excluded.block_number, block_time = excluded.block_time,
      block_hash = excluded.block_hash
    where excluded.block_number > stored.block_number`.execute(db)
}
