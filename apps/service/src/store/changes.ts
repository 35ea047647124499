import { type Kysely, sql } from 'kysely'
import { bytesArray } from './arrays.ts'
import type { Database } from './Database.ts'
import { fromHex } from './hex.ts'

/** What a commit changed, as addresses in lower case. */
export interface ChangedKeys {
  /** Accounts with changed balances or NFTs. */
  readonly holders: Iterable<string>
  /** Contracts of which balances changed. */
  readonly ledgers: Iterable<string>
  /** Contracts with changed metadata or sales. */
  readonly contracts: Iterable<string>
  /** Tokens of which a pool was created or changed. */
  readonly pooled: Iterable<string>
}

/** The change of the amount that a holder has of an ERC20 token, by the events of a commit. */
export interface BalanceDelta {
  readonly holder: string
  readonly token: string
  /** The difference, in smallest units. */
  readonly amount: bigint
}

/** A row of `changes`. */
export interface ChainChange {
  readonly version: number
  /** The indexed block after the commit. */
  readonly block: { readonly number: number; readonly hash: string }
  /** The metadata versions of the chain before and after the commit. */
  readonly metadataVersions: readonly [number, number]
  /** In a reorg, the number of the common ancestor. */
  readonly ancestor: number | undefined
  /** Undefined if everything may have changed. */
  readonly keys: { readonly [Kind in keyof ChangedKeys]: readonly string[] } | undefined
  /** All that changed of the rows of their holders, which are some of those of the keys; of others, anything may have changed. */
  readonly deltas: readonly BalanceDelta[]
}

const keptVersions = 1_000
/** Most holders of tokens whose responses are invalidated one by one. */
const maxHolders = 10_000
const addressLength = 40

/**
 * Records what a commit changes, in its transaction, after the other changes of `chains`. A commit that changes
 * the indexed block or the metadata version without a record counts as one that changes everything.
 *
 * @param keys - undefined if everything may have changed.
 * @param options.deltas - all changes of the balances of some of the holders, in tokens of which the ledgers are among the keys.
 * @param options.isMetadata - whether the change is one of metadata, without a new block: it increments the version.
 */
export async function recordChange(
  transaction: Kysely<Database>,
  chainId: number,
  keys: Partial<ChangedKeys> | undefined,
  {
    ancestor,
    deltas = [],
    isMetadata = false,
  }: {
    readonly ancestor?: number | undefined
    readonly deltas?: readonly BalanceDelta[]
    readonly isMetadata?: boolean
  } = {},
): Promise<void> {
  const increment = sql.lit(isMetadata ? 1 : 0)
  const { holders = [], ledgers = [], contracts = [], pooled = [] } = keys ?? {}
  const lists = [holders, ledgers, contracts, pooled].map((list) =>
    keys ? sql`${encode(list)}::bytea` : sql`null::bytea`,
  )
  const formatted = deltas.length > 0 ? formatDeltas(deltas, holders, ledgers) : null
  await sql`
    with chain as (
      update chains set change_version = change_version + 1,
        metadata_version = metadata_version + ${increment}
      where chain_id = ${chainId}::bigint
      returning *
    ), pruned as (
      delete from changes using chain
      where changes.chain_id = chain.chain_id and version <= change_version - ${sql.lit(keptVersions)}
    )
    insert into changes (
      chain_id, version, block_number, block_hash, metadata_before, metadata_version, ancestor,
      holders, ledgers, contracts, pooled, deltas
    )
    select chain_id, change_version, indexed_block, indexed_hash,
      metadata_version - ${increment}, metadata_version, ${ancestor ?? null}::bigint, ${sql.join(lists)},
      ${formatted}::text
    from chain where indexed_block is not null`.execute(transaction)
}

/** Invalidates all cached responses of a chain, as a change without a new block that is not recorded. */
export async function invalidateResponses(
  transaction: Kysely<Database>,
  chainId: number,
): Promise<void> {
  await transaction
    .updateTable('chains')
    .set(({ eb }) => ({ metadata_version: eb('metadata_version', '+', 1) }))
    .where('chain_id', '=', chainId)
    .execute()
}

/** The changes after a version. */
interface ChangeRange {
  readonly after: number
  /** The last version; by default all. */
  readonly upTo?: number
  /** The hash of the block after the change with the version `after`. No changes are loaded where that is another block. */
  readonly afterHash?: string | undefined
}

/** Loads the changes of a chain after a version, oldest first. */
export async function loadChanges(
  db: Kysely<Database>,
  chainId: number,
  { after, upTo = Number.MAX_SAFE_INTEGER, afterHash }: ChangeRange,
): Promise<ChainChange[]> {
  const hex = (column: string) => sql<string | null>`encode(${sql.ref(column)}, 'hex')`
  const rows = await db
    .selectFrom('changes')
    .select(['version', 'block_number', 'metadata_before', 'metadata_version', 'ancestor'])
    .select([
      hex('block_hash').as('hash'),
      hex('holders').as('holders'),
      hex('ledgers').as('ledgers'),
      hex('contracts').as('contracts'),
      hex('pooled').as('pooled'),
    ])
    .select('deltas')
    .where('chain_id', '=', chainId)
    .where('version', '>', after)
    .where('version', '<=', upTo)
    .where(({ exists, selectFrom, lit }) =>
      afterHash === undefined
        ? lit(true)
        : exists(
            selectFrom('changes as before')
              .select('version')
              .where('before.chain_id', '=', chainId)
              .where('before.version', '=', after)
              .where('before.block_hash', '=', fromHex(afterHash)),
          ),
    )
    .orderBy('version')
    .execute()
  return rows.map(({ version, block_number, metadata_before, metadata_version, ...row }) => {
    const { ancestor, hash, deltas, ...lists } = row
    const { holders, ledgers, contracts, pooled } = lists
    const isKnown = holders !== null && ledgers !== null && contracts !== null && pooled !== null
    const keys = isKnown
      ? {
          holders: decode(holders),
          ledgers: decode(ledgers),
          contracts: decode(contracts),
          pooled: decode(pooled),
        }
      : undefined
    return {
      version,
      block: { number: block_number, hash: `0x${hash}` },
      metadataVersions: [metadata_before, metadata_version],
      ancestor: ancestor ?? undefined,
      keys,
      // Null without any, as of a commit of a version that recorded none.
      deltas: keys && deltas ? parseDeltas(deltas, keys) : [],
    }
  })
}

/**
 * Finds the oldest change up to a version, such that it and all later ones have at most `maxAddresses` together.
 *
 * @returns undefined if there is none.
 */
export async function findOldestChange(
  db: Kysely<Database>,
  chainId: number,
  upTo: number,
  maxAddresses: number,
): Promise<number | undefined> {
  const maxBytes = (maxAddresses * addressLength) / 2
  const { rows } = await sql<{ version: number | null }>`
    select min(version) as version from (
      select version, sum(
        coalesce(octet_length(holders), 0) + coalesce(octet_length(ledgers), 0) +
        coalesce(octet_length(contracts), 0) + coalesce(octet_length(pooled), 0)
      ) over (order by version desc) as bytes
      from changes where chain_id = ${chainId}::bigint and version <= ${upTo}
    ) as sizes where bytes <= ${sql.lit(maxBytes)}`.execute(db)
  return rows[0]?.version ?? undefined
}

/**
 * Loads what the blocks above an ancestor changed, as a reorg changes it again.
 *
 * @returns undefined if everything may have changed, because the records do not reach back to the ancestor.
 */
export async function loadChangesAbove(
  db: Kysely<Database>,
  chainId: number,
  ancestor: number,
): Promise<ChangedKeys | undefined> {
  const start = await db
    .selectFrom('changes')
    .select('version')
    .where('chain_id', '=', chainId)
    .where('block_number', '<=', ancestor)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!start) {
    return undefined
  }
  // Also of older branches, which are some more.
  return combineKeys(await loadChanges(db, chainId, { after: start.version }))
}

/** The keys of several changes; undefined if one of them may have changed everything. */
export function combineKeys(changes: readonly ChainChange[]): ChainChange['keys'] {
  const keys = changes.flatMap((change) => change.keys ?? [])
  if (keys.length < changes.length) {
    return undefined
  }
  return keys.length === 1
    ? keys[0]
    : {
        holders: keys.flatMap(({ holders }) => holders),
        ledgers: keys.flatMap(({ ledgers }) => ledgers),
        contracts: keys.flatMap(({ contracts }) => contracts),
        pooled: keys.flatMap(({ pooled }) => pooled),
      }
}

/**
 * Loads the holders of tokens, whose responses contain these.
 *
 * @returns undefined if there are too many, or any account may hold one of them, because no log names its holders.
 */
export async function loadHoldersOf(
  db: Kysely<Database>,
  chainId: number,
  tokens: ReadonlySet<string>,
): Promise<string[] | undefined> {
  if (tokens.size === 0) {
    return []
  }
  const limit = sql.lit(maxHolders + 1)
  const { rows } = await sql<{ is_open: boolean; holders: string | null; count: number }>`
    select
      exists (
        select from tokens where tokens.chain_id = ${chainId}::bigint
          and address = any(${bytesArray([...tokens])}) and amounts_from = 'chain'
      ) as is_open,
      string_agg(encode(holder, 'hex'), '') as holders, count(*)::int as count from (
      select held.holder from unnest(${bytesArray([...tokens])}) as changed (address)
      join tokens on tokens.chain_id = ${chainId}::bigint and tokens.address = changed.address
      cross join lateral (
        select holder from balances
        where balances.chain_id = ${chainId}::bigint
          -- The rank of an amount above 0, and a column of the index: most accounts may have spent all that they had.
          and balances.token in (tokens.id, -tokens.id) and rank > 0
        limit ${limit}
      ) as held
      limit ${limit}
    ) as affected`.execute(db)
  const [row] = rows
  if (!row || row.is_open || row.count > maxHolders) {
    return undefined
  }
  return decode(row.holders ?? '')
}

function encode(addresses: Iterable<string>): Buffer {
  const digits: string[] = []
  for (const address of addresses) {
    digits.push(address.slice(2))
  }
  return Buffer.from(digits.join(''), 'hex')
}

function decode(hex: string): string[] {
  return Array.from(
    { length: hex.length / addressLength },
    (_, index) => `0x${hex.slice(index * addressLength, (index + 1) * addressLength)}`,
  )
}

/** Formats each change as the positions of its holder and token in their lists, and the difference. */
function formatDeltas(
  deltas: readonly BalanceDelta[],
  holders: Iterable<string>,
  ledgers: Iterable<string>,
): string {
  const holderAt = toPositions(holders)
  const ledgerAt = toPositions(ledgers)
  return deltas
    .map(({ holder, token, amount }) =>
      [holderAt.get(holder), ledgerAt.get(token), amount].join(' '),
    )
    .join(',')
}

function toPositions(addresses: Iterable<string>): Map<string, number> {
  return new Map([...addresses].map((address, index) => [address, index]))
}

function parseDeltas(
  text: string,
  { holders, ledgers }: NonNullable<ChainChange['keys']>,
): BalanceDelta[] {
  return text.split(',').flatMap((delta) => {
    const [holderAt, ledgerAt, amount = ''] = delta.split(' ')
    const holder = holders[Number(holderAt)]
    const token = ledgers[Number(ledgerAt)]
    return holder === undefined || token === undefined
      ? []
      : { holder, token, amount: BigInt(amount) }
  })
}
