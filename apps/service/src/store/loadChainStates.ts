import type { TimedBlock } from '../rpc/methods/BlockHeader.ts'
import { unconfirmedMs } from './ChainStatus.ts'
import type { ChainHold } from './Database.ts'
import { toHex } from './hex.ts'
import type { Store } from './Store.ts'

/** The state of a chain in the store. */
export interface StoredChainState {
  readonly chainId: number
  /** The latest indexed block; undefined before the initial sync is complete. */
  readonly block: TimedBlock | undefined
  /** Increases when responses may change without a new block. */
  readonly metadataVersion: number
  /** The version of the latest recorded change. */
  readonly changeVersion: number
  /** When its head was last confirmed, by `performance.now()`. */
  readonly confirmedAt: number
  /** Why indexing stopped until an operator acts; undefined while it has not, and where the store does not know why. */
  readonly stoppedReason: string | undefined
  /** The repair because of which it must not be indexed; undefined for none. */
  readonly hold: ChainHold | undefined
}

/** Loads the states of all chains. */
export async function loadChainStates({
  reader,
}: Pick<Store, 'reader'>): Promise<StoredChainState[]> {
  const rows = await reader
    .selectFrom('chains')
    .fullJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .select(({ fn }) => [
      fn.coalesce('chains.chain_id', 'indexers.chain_id').as('chain_id'),
      'indexed_block',
      'indexed_hash',
      'indexed_time',
      'metadata_version',
      'change_version',
      'synced_at',
      'stopped_reason',
      'hold',
      unconfirmedMs.as('unconfirmed_ms'),
    ])
    .execute()
  const now = performance.now()
  return rows.map((row) => ({
    // Not null on at least one side of the join.
    chainId: Number(row.chain_id),
    block:
      row.synced_at && row.indexed_block !== null && row.indexed_hash
        ? {
            number: row.indexed_block,
            hash: toHex(row.indexed_hash),
            time: row.indexed_time ?? 0,
          }
        : undefined,
    changeVersion: row.change_version ?? 0,
    metadataVersion: row.metadata_version ?? 0,
    confirmedAt: now - (row.unconfirmed_ms ?? Infinity),
    stoppedReason: row.stopped_reason ?? undefined,
    hold: row.hold ?? undefined,
  }))
}
