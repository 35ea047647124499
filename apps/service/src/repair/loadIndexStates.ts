import type { Kysely } from 'kysely'
import { unconfirmedMs, unreportedSeconds } from '../store/ChainStatus.ts'
import type { ChainHold, Database } from '../store/Database.ts'

/** How far a chain is indexed, and why it is not. */
export interface IndexState {
  readonly chainId: number
  readonly isSynced: boolean
  readonly indexedBlock: number | null
  /** The latest block of the nodes. */
  readonly headBlock: number | null
  /** Null while none is final. */
  readonly finalBlock: number | null
  /** The lowest block to which the chain can be rewound. */
  readonly undoBlock: number
  readonly hold: ChainHold | null
  readonly stoppedReason: string | null
  readonly failure: string | null
  readonly stage: string | null
  /** Seconds since the indexed block was last confirmed as the head; null before the initial indexing is complete. */
  readonly unconfirmedSeconds: number | null
  /** Seconds since the process that indexes it last reported; null before the first time, and while it is stopped or held. */
  readonly unreportedSeconds: number | null
  /** Up to which block pools and sales of new contracts are added; null if none are. */
  readonly backfillBlock: number | null
  /** Of these. */
  readonly backfillSecondsLeft: number | null
}

/** Loads the state of one chain, or of all in the store. */
export async function loadIndexStates(
  db: Kysely<Database>,
  chainId?: number,
): Promise<IndexState[]> {
  const rows = await db
    .selectFrom('chains')
    .leftJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .leftJoin('backfills', 'backfills.chain_id', 'chains.chain_id')
    .select(['chains.chain_id', 'indexed_block', 'final_block', 'undo_block', 'synced_at'])
    .select(['head_block', 'hold', 'stopped_reason', 'failure', 'stage'])
    .select(['backfills.block_number as backfill_block', 'backfills.seconds_left'])
    .select([unconfirmedMs.as('unconfirmed_ms'), unreportedSeconds.as('unreported_seconds')])
    .$if(chainId !== undefined, (query) => query.where('chains.chain_id', '=', Number(chainId)))
    .orderBy('chains.chain_id')
    .execute()
  return rows.map((row) => ({
    chainId: row.chain_id,
    isSynced: row.synced_at !== null,
    indexedBlock: row.indexed_block,
    headBlock: row.head_block,
    finalBlock: row.final_block < 0 ? null : row.final_block,
    undoBlock: Math.max(row.undo_block, 0),
    hold: row.hold,
    stoppedReason: row.stopped_reason,
    failure: row.failure,
    stage: row.stage,
    unconfirmedSeconds:
      row.unconfirmed_ms === null ? null : Math.max(0, Math.round(row.unconfirmed_ms / 1000)),
    unreportedSeconds: row.unreported_seconds,
    backfillBlock: row.backfill_block === null ? null : Math.max(row.backfill_block, 0),
    backfillSecondsLeft: row.seconds_left,
  }))
}
