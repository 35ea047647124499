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
 * Records what a batch changes, in its transaction and after its rows are written.
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
  // The rows of tokens that were found in undone blocks were deleted.
  const contracts = new Set([...undone.contracts, ...undone.ledgers])
  const pools = new Set<string>()
  /** Those of created and undone pools. */
  const tokens = new Set(undone.pooled)
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
    for (const pool of set.pools) {
      pool.tokens.forEach((token) => tokens.add(token))
    }
    if (holders.size + others.size + ledgers.size + pools.size > maxAddresses) {
      return undefined
    }
  }
  const pooled = await loadPooledTokens(transaction, chainId, { pools, tokens, before: first })
  // Responses without the price of a token do not depend on it. Undone blocks may have removed the price of any.
  const priced = pooled.filter((token) => token.is_newly_priced || ancestor !== undefined)
  const affected = await loadHoldersOf(transaction, chainId, toAddresses(priced))
  if (!affected) {
    return undefined
  }
  for (const holder of affected) {
    others.add(holder)
  }
  return {
    keys: {
      holders: new Set([...holders, ...others]),
      ledgers,
      contracts,
      pooled: toAddresses(pooled),
    },
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

interface PooledToken {
  readonly address: string
  /** Whether a pool may price it now, and none could before. */
  readonly is_newly_priced: boolean
}

function toAddresses(tokens: readonly PooledToken[]): Set<string> {
  return new Set(tokens.map(({ address }) => address))
}

/** Loads the tokens of changed pools, and others of which pools were created or undone. */
async function loadPooledTokens(
  db: Kysely<Database>,
  chainId: number,
  {
    pools,
    tokens,
    before,
  }: {
    readonly pools: ReadonlySet<string>
    readonly tokens: ReadonlySet<string>
    /** The first block of the batch. */
    readonly before: number
  },
): Promise<readonly PooledToken[]> {
  if (pools.size + tokens.size === 0) {
    return []
  }
  const chain = sql`${chainId}::bigint`
  const token = sql`pooled.token`
  const { rows } = await sql<PooledToken>`
    select '0x' || encode(pooled.token, 'hex') as address,
      ${hasPricingPool(chain, token)} and not ${hasPricingPool(chain, token, before)} as is_newly_priced
    from (
      select unnest(array[pool.token0, pool.token1]) as token
      from unnest(${bytesArray([...pools])}) as changed (pool)
      cross join lateral (
        select token0, token1 from pools
        where chain_id = ${chain} and address = changed.pool offset 0
      ) as pool
      union
      select unnest(${bytesArray([...tokens])})
    ) as pooled`.execute(db)
  return rows
}
