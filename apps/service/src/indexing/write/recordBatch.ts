import { type Kysely, sql } from 'kysely'
import { hasPricingPool } from '../../pricing/hasPricingPool.ts'
import { bytesArray } from '../../store/arrays.ts'
import {
  type BalanceDelta,
  type ChangedKeys,
  loadChangesAbove,
  loadHoldersOf,
  recordChange,
} from '../../store/changes.ts'
import type { Database } from '../../store/Database.ts'
import type { Batch } from '../fold/BatchBuilder.ts'
import type { ChangeSet } from '../fold/ChangeSet.ts'

/** A commit with more addresses counts as one that changes everything, such as that of an indexer that was away for long. */
const maxAddresses = 50_000

/**
 * Records what a batch changes, in its transaction and after its rows are written. Nothing is recorded during the initial
 * sync, as no response contains the chain.
 *
 * @param options.ancestor - in a reorg, the common ancestor. What the undone blocks changed changes again.
 * @param options.completesBackfill - whether the prices of the whole chain change.
 */
export async function recordBatch(
  transaction: Kysely<Database>,
  chainId: number,
  { blocks, permanent, undoable }: Pick<Batch, 'blocks' | 'permanent' | 'undoable'>,
  {
    ancestor,
    completesBackfill,
  }: { readonly ancestor: number | undefined; readonly completesBackfill: boolean },
): Promise<void> {
  const chain = await transaction
    .selectFrom('chains')
    .select('synced_at')
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
  if (!chain?.synced_at) {
    return
  }
  const changes = [permanent, ...undoable.map(({ changes }) => changes)]
  const collected = completesBackfill
    ? undefined
    : await collectKeys(transaction, chainId, changes, { ancestor, first: blocks[0]?.number ?? 0 })
  await recordChange(transaction, chainId, collected?.keys, {
    ancestor,
    deltas: collected?.deltas ?? [],
  })
}

async function collectKeys(
  transaction: Kysely<Database>,
  chainId: number,
  changes: readonly ChangeSet[],
  { ancestor, first }: { readonly ancestor: number | undefined; readonly first: number },
): Promise<{ keys: ChangedKeys; deltas: BalanceDelta[] } | undefined> {
  const undone =
    ancestor === undefined ? none : await loadChangesAbove(transaction, chainId, ancestor)
  if (!undone) {
    return undefined
  }
  // Accounts with other changes than those of ERC20 balances.
  const others = new Set(undone.holders)
  const holders = new Set<string>()
  const ledgers = new Set(undone.ledgers)
  const pooled = new Set(undone.pooled)
  // The rows of tokens that were found in undone blocks were deleted.
  const contracts = new Set([...undone.contracts, ...undone.ledgers])
  const pools = new Set<string>()
  const created = new Set<string>()
  const deltas: BalanceDelta[] = []
  for (const set of changes) {
    for (const [token, entries] of set.balances[20]) {
      ledgers.add(token)
      for (const { holder, amount } of entries.values()) {
        holders.add(holder)
        deltas.push({ holder, token, amount })
      }
    }
    collectCollectibles(set, { holders: others, ledgers, contracts })
    for (const { pool } of set.poolStates.values()) {
      pools.add(pool)
    }
    for (const { tokens } of set.pools) {
      tokens.forEach((token) => created.add(token))
    }
    if (holders.size + others.size + ledgers.size + pools.size > maxAddresses) {
      return undefined
    }
  }
  for (const token of [...(await loadPoolTokens(transaction, chainId, pools)), ...created]) {
    pooled.add(token)
  }
  // Responses without the price of a token do not depend on it. Undone blocks may have removed the price of any.
  const priced =
    ancestor === undefined ? await findNewlyPriced(transaction, chainId, pooled, first) : pooled
  const affected = await loadHoldersOf(transaction, chainId, priced)
  if (!affected) {
    return undefined
  }
  for (const holder of affected) {
    others.add(holder)
  }
  return {
    keys: { holders: new Set([...holders, ...others]), ledgers, contracts, pooled },
    // In a reorg, balances also change by what is undone.
    deltas: ancestor === undefined ? deltas.filter(({ holder }) => !others.has(holder)) : [],
  }
}

const none: ChangedKeys = { holders: [], ledgers: [], contracts: [], pooled: [] }

/** Adds the accounts and contracts of changed NFTs and sales to sets of keys. */
function collectCollectibles(
  { balances, collectibleBalances, owners, sales }: ChangeSet,
  keys: Readonly<Record<'holders' | 'ledgers' | 'contracts', Set<string>>>,
): void {
  for (const byContract of [balances[721], collectibleBalances]) {
    for (const [contract, entries] of byContract) {
      keys.ledgers.add(contract)
      for (const { holder } of entries.values()) {
        keys.holders.add(holder)
      }
    }
  }
  for (const tokens of owners.values()) {
    for (const { owner, previous } of tokens.values()) {
      keys.holders.add(owner)
      if (previous !== undefined) {
        keys.holders.add(previous)
      }
    }
  }
  for (const { contract } of sales) {
    keys.contracts.add(contract)
  }
}

async function loadPoolTokens(
  db: Kysely<Database>,
  chainId: number,
  pools: ReadonlySet<string>,
): Promise<string[]> {
  if (pools.size === 0) {
    return []
  }
  const { rows } = await sql<{ token0: string; token1: string }>`
    select '0x' || encode(token0, 'hex') as token0, '0x' || encode(token1, 'hex') as token1
    from unnest(${bytesArray([...pools])}) as changed (pool)
    cross join lateral (
      select token0, token1 from pools
      where chain_id = ${chainId}::bigint and address = changed.pool offset 0
    ) as pool`.execute(db)
  return rows.flatMap(({ token0, token1 }) => [token0, token1])
}

/** Selects the tokens that a pool may price now, and none before a block. */
async function findNewlyPriced(
  db: Kysely<Database>,
  chainId: number,
  tokens: ReadonlySet<string>,
  before: number,
): Promise<ReadonlySet<string>> {
  if (tokens.size === 0) {
    return tokens
  }
  const chain = sql`${chainId}::bigint`
  const token = sql`pooled.token`
  const { rows } = await sql<{ address: string }>`
    select '0x' || encode(pooled.token, 'hex') as address
    from unnest(${bytesArray([...tokens])}) as pooled (token)
    where ${hasPricingPool(chain, token)} and not ${hasPricingPool(chain, token, before)}`.execute(
    db,
  )
  return new Set(rows.map(({ address }) => address))
}
