import { sql } from 'kysely'
import { recordFirstSeen } from '../../../../apps/service/src/indexing/fold/applyTransfer.ts'
import { ChangeSet, getOrCreate } from '../../../../apps/service/src/indexing/fold/ChangeSet.ts'
import { commitBatch } from '../../../../apps/service/src/indexing/write/commitBatch.ts'
import { prepareReads } from '../../../../apps/service/src/indexing/write/createReadIndexes.ts'
import { loadHolders } from '../../../../apps/service/src/operations/tokenHolders/loadHolders.ts'
import { loadRankedToken } from '../../../../apps/service/src/operations/tokenHolders/loadRankedToken.ts'
import { migrate } from '../../../../apps/service/src/store/migrate.ts'
import { createPartitions, getPartition } from '../../../../apps/service/src/store/partitions.ts'
import type { Pair } from './createTransfers.ts'
import type { Layout } from './Layout.ts'

const chainId = 1

/** The layout of the service, written by its own code. */
export const currentLayout: Layout = {
  name: 'current',
  table: getPartition('balances', chainId),
  async create(db, pairs) {
    await migrate(db)
    await createPartitions(db, chainId)
    await sql`insert into chains (chain_id, genesis_hash) values (${chainId}, '\\x00')`.execute(db)
    const batch = { blocks: [toBlock(0)], logCount: 0, undoBlock: 0 }
    await commitBatch(
      db,
      { ...batch, permanent: toChangeSet(0, pairs), undoable: [] },
      { chainId, from: undefined },
    )
    await prepareReads(db, chainId)
  },
  async commit(db, block, changes, undoBlock) {
    const undoable = [{ block, changes: toChangeSet(block, changes) }]
    const batch = { blocks: [toBlock(block)], logCount: 0, undoBlock, undoable }
    await commitBatch(
      db,
      { ...batch, permanent: new ChangeSet() },
      { chainId, from: toBlock(block - 1) },
    )
  },
  async readTopHolders(db, token) {
    const ranked = await loadRankedToken(db, chainId, token)
    const range = { chainId, token, ...ranked }
    await loadHolders(db, { ...range, after: undefined, limit: 500 })
  },
}

/** A block of a benchmark. */
export function toBlock(number: number) {
  return { number, hash: `0x${number.toString(16).padStart(64, '0')}`, time: 12 * number }
}

/** The changes of a block, each pair once. */
export function toChangeSet(block: number, pairs: readonly Pair[]): ChangeSet {
  const changes = new ChangeSet()
  for (const { holder, token, amount } of pairs) {
    recordFirstSeen(changes, token, 20, block)
    getOrCreate(changes.balances[20], token, () => new Map()).set(holder, {
      holder,
      token,
      standard: 20,
      amount,
      firstIn: block,
      initiated: null,
    })
  }
  return changes
}
