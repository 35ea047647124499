import { type Kysely, sql } from 'kysely'
import type { PoolRegistration } from '../../pricing/venues/Venue.ts'
import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import type { Log, LogWithSender } from '../../rpc/methods/Log.ts'
import { bytesArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { toHex } from '../../store/hex.ts'
import { decodeLog } from '../decode/decodeLog.ts'
import type { Scope } from '../decode/Scope.ts'
import type { ChangeSet } from './ChangeSet.ts'

/** Registrations that are read again at once, at most. */
const maxRetried = 50

/** A registration without the block that has the state to read it. */
export type UnreadPool = Pick<Log, 'blockNumber' | 'logIndex' | 'address' | 'topics' | 'data'>

/**
 * Loads the oldest registrations of some factories that were not read yet.
 *
 * @param lastBlock - loads them as of this block.
 */
export async function loadUnreadPools(
  db: Kysely<Database>,
  chainId: number,
  factories: readonly string[],
  lastBlock = Number.MAX_SAFE_INTEGER,
): Promise<UnreadPool[]> {
  const rows = await db
    .selectFrom('unread_pools')
    .select(['block_number', 'log_index', 'factory', 'log'])
    .where('chain_id', '=', chainId)
    .where('block_number', '<=', lastBlock)
    .where(({ or, eb }) => or([eb('read_block', 'is', null), eb('read_block', '>', lastBlock)]))
    .where('factory', '=', sql<Uint8Array>`any(${bytesArray(factories)})`)
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(maxRetried)
    .execute()
  return rows.map(({ block_number: blockNumber, log_index: logIndex, factory, log }) => ({
    ...(JSON.parse(log) as Pick<Log, 'topics' | 'data'>),
    blockNumber,
    logIndex,
    address: toHex(factory),
  }))
}

/** An earlier registration that is read again, and the block of this in place of its own. */
export interface RetriedPool {
  readonly place: Pick<Log, 'blockNumber' | 'logIndex'>
  readonly log: LogWithSender
}

/** Decodes registrations, to read them at a later block. */
export function decodeUnreadPools(
  unread: readonly UnreadPool[],
  at: BlockRef | undefined,
  scope: Scope,
): Map<PoolRegistration, RetriedPool> {
  return new Map(
    unread.flatMap(({ blockNumber, logIndex, ...fields }) => {
      if (!at) {
        return []
      }
      const place = { blockNumber: at.number, blockHash: at.hash, logIndex: -1 }
      const log = { ...fields, ...place, transactionFrom: fields.address }
      const decoded = decodeLog(log, scope)
      // The configuration may have changed: then it counts as read, so that it keeps no others from being so.
      const event: PoolRegistration =
        decoded?.kind === 'registration'
          ? decoded
          : { kind: 'registration', factory: log.address, read: async () => undefined }
      return [[event, { place: { blockNumber, logIndex }, log }] as const]
    }),
  )
}

/** Writes which registrations could not be read, and which earlier ones were. */
export async function writeUnreadPools(
  transaction: Kysely<Database>,
  chainId: number,
  changes: readonly ChangeSet[],
): Promise<void> {
  const unread = changes.flatMap(({ unreadPools }) => unreadPools)
  if (unread.length > 0) {
    const rows = unread.map(({ blockNumber, logIndex, address, topics, data }) => ({
      block: blockNumber,
      index: logIndex,
      factory: address.slice(2),
      log: JSON.stringify({ topics, data }),
    }))
    // A factory that was removed from the configuration may be back.
    await sql`
      insert into unread_pools (chain_id, block_number, log_index, factory, log)
      select ${chainId}::bigint, block, index, decode(factory, 'hex'), log
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as unread (block bigint, index int, factory text, log text)
      on conflict (chain_id, block_number, log_index) do update set read_block = null`.execute(
      transaction,
    )
  }
  const read = changes.flatMap(({ retriedPools }) => retriedPools)
  if (read.length > 0) {
    await sql`
      update unread_pools set read_block = read."readBlock"
      from json_to_recordset(${JSON.stringify(read)}::json)
        as read ("blockNumber" bigint, "logIndex" int, "readBlock" bigint)
      where chain_id = ${chainId}::bigint and block_number = read."blockNumber"
        and log_index = read."logIndex" and read_block is null`.execute(transaction)
  }
}

/** Undoes both above a block. */
export async function undoUnreadPools(
  db: Kysely<Database>,
  chainId: number,
  ancestor: number,
): Promise<void> {
  await db
    .deleteFrom('unread_pools')
    .where('chain_id', '=', chainId)
    .where('block_number', '>', ancestor)
    .execute()
  await db
    .updateTable('unread_pools')
    .set({ read_block: null })
    .where('chain_id', '=', chainId)
    .where('read_block', '>', ancestor)
    .execute()
}
