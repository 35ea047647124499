import { sql } from 'kysely'
import { bytesArray } from '../../store/arrays.ts'
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
const eventColumns = { address: 'bytea', events: 'int' } as const
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
  const stored = await loadTokens(target, [...found.keys()])
  const { transaction, chainId } = target
  const changed = [...found].flatMap(([address, { events }]): Row[] => {
    const before = stored.get(address)?.events ?? events
    return (before | events) === before ? [] : [[address, events]]
  })
  if (changed.length > 0) {
    const changes = await copyToTempTable(transaction, 'staged_events', eventColumns, changed)
    await changeTokenEvents(transaction, chainId, {
      changes: sql`select * from ${changes}`,
      merge: sql`tokens.events | change.events`,
    })
  }
  const ids = new Map([...stored].map(([address, { id }]) => [address, id]))
  const added = [...found].filter(([address]) => !stored.has(address))
  let id = added.length > 0 ? await loadLastId(target) : 0
  const rows: Row[] = []
  for (const [address, { standard, block, events }] of added) {
    id++
    ids.set(address, id)
    rows.push([id, address, standard, block, events])
  }
  await appendRows(target, 'tokens', tokenColumns, rows)
  await recordAddedEvents(target, blocks, stored)
  return ids
}

interface StoredToken {
  readonly id: number
  readonly events: number
}

async function loadTokens(
  { transaction, chainId }: WriteTarget,
  addresses: readonly string[],
): Promise<Map<string, StoredToken>> {
  if (addresses.length === 0) {
    return new Map()
  }
  // `offset 0` forces an index lookup per token, whatever the statistics are.
  const { rows } = await sql<StoredToken & { address: string }>`
    select '0x' || encode(found.address, 'hex') as address, id, events
    from unnest(${bytesArray(addresses)}) as found (address)
    cross join lateral (
      select id, events from tokens
      where chain_id = ${chainId}::bigint and tokens.address = found.address offset 0
    ) as stored`.execute(transaction)
  return new Map(rows.map(({ address, ...token }) => [address, token]))
}

async function loadLastId({ transaction, chainId }: WriteTarget): Promise<number> {
  const { id } = await transaction
    .selectFrom('tokens')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('chain_id', '=', chainId)
    .executeTakeFirstOrThrow()
  return id ?? 0
}

/**
 * Records which standards of events undoable blocks are the first to have of a contract.
 *
 * @param stored - the tokens that existed before.
 */
async function recordAddedEvents(
  target: WriteTarget,
  blocks: readonly BlockChanges[],
  stored: ReadonlyMap<string, StoredToken>,
): Promise<void> {
  const known = new Map<string, number>()
  const rows: Row[] = []
  for (const { block, changes } of blocks) {
    for (const [address, { events }] of changes.tokens) {
      const earlier = known.get(address) ?? stored.get(address)?.events ?? 0
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
