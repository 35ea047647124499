import { sql } from 'kysely'
import type { ChangeSet, FoundToken } from '../fold/ChangeSet.ts'
import { changeTokenEvents } from './changeTokenEvents.ts'
import { appendRows, copyToTempTable, type Row, type WriteTarget } from './rows.ts'

const tokenColumns = {
  id: 'int',
  address: 'bytea',
  standard: 'smallint',
  first_block: 'bigint',
  events: 'int',
} as const
const addedEventColumns = { block_number: 'bigint', address: 'bytea', events: 'int' } as const

/** The changes of a block; `block` is undefined for those of all permanent blocks together. */
interface BlockChanges {
  readonly block: number | undefined
  readonly changes: ChangeSet
}

/**
 * Inserts tokens that do not exist yet, with the next ids. Contracts that emit events of a further standard are classified
 * again, with their metadata.
 *
 * @param blocks - oldest first.
 * @returns the ids of all tokens in the changes, by address.
 */
export async function insertTokens(
  target: WriteTarget,
  blocks: readonly BlockChanges[],
): Promise<Map<string, number>> {
  const found = new Map<string, FoundToken>()
  for (const { changes } of blocks) {
    for (const [address, token] of changes.tokens) {
      const known = found.get(address)
      if (known) {
        known.events |= token.events
      } else {
        found.set(address, { ...token })
      }
    }
  }
  if (found.size === 0) {
    return new Map()
  }
  const { transaction, chainId, isEmpty } = target
  const rows = [...found].map(([address, { standard, block, events }], index): Row => {
    return [index + 1, address, standard, block, events]
  })
  if (isEmpty) {
    await appendRows(target, 'tokens', tokenColumns, rows)
    await recordAddedEvents(target, blocks, new Map([...found.keys()].map((each) => [each, 0])))
    return new Map([...found.keys()].map((address, index) => [address, index + 1]))
  }
  const names = sql.join(Object.keys(tokenColumns).map((column) => sql.ref(column)))
  const staged = await copyToTempTable(transaction, 'staged_tokens', tokenColumns, rows)
  const before = await changeTokenEvents(transaction, chainId, {
    changes: sql`select * from ${staged}`,
    merge: sql`tokens.events | change.events`,
  })
  const ids = await sql<{ address: string; id: number; is_new: boolean }>`
    with known as materialized (
      select staged.*, tokens.id as known_id from (select * from ${staged}) staged
      left join tokens on tokens.chain_id = ${chainId}::bigint and tokens.address = staged.address
    ),
    inserted as (
      insert into tokens (chain_id, ${names})
      select ${chainId}::bigint,
        (select coalesce(max(id), 0) from tokens where chain_id = ${chainId}::bigint)
          + row_number() over (order by known.id),
        address, standard, first_block, events
      from known where known_id is null
      returning address, id
    )
    select '0x' || encode(address, 'hex') as address, id, true as is_new from inserted
    union all
    select '0x' || encode(address, 'hex'), known_id, false from known where known_id is not null`.execute(
    transaction,
  )
  for (const { address } of ids.rows.filter((row) => row.is_new)) {
    before.set(address, 0)
  }
  await recordAddedEvents(target, blocks, before)
  return new Map(ids.rows.map(({ address, id }) => [address, id]))
}

/**
 * Records which standards of events undoable blocks are the first to have of a contract.
 *
 * @param before - the events before all blocks, of contracts that are new or have others then.
 */
async function recordAddedEvents(
  target: WriteTarget,
  blocks: readonly BlockChanges[],
  before: ReadonlyMap<string, number>,
): Promise<void> {
  const known = new Map(before)
  const rows: Row[] = []
  for (const { block, changes } of blocks) {
    for (const [address, { events }] of changes.tokens) {
      const earlier = known.get(address) ?? events
      const added = events & ~earlier
      if (added !== 0) {
        known.set(address, earlier | added)
        if (block !== undefined) {
          rows.push([block, address, added])
        }
      }
    }
  }
  await appendRows(target, 'undo_token_events', addedEventColumns, rows)
}
