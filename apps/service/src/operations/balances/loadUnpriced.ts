import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { bytesArray, integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { isHolder } from '../../store/holderKey.ts'
import { type BalanceEntry, compareKeys, type SortKey, toEntry } from './BalanceEntry.ts'
import { holdingRows, parseHoldingRows, toChainToken } from './HoldingRow.ts'
import type { LedgerHolding } from './LedgerHolding.ts'
import type { PricedWallet } from './priceWallet.ts'

/** Most rows per query, however many of them are priced. */
const maxRows = 2_000

/** Where a query continues on a chain. `0x` precedes every address, and `native` follows all. */
interface Start {
  readonly chain: ChainConfig
  readonly after: string
}

/** The unpriced ones among the balances of a wallet, after a key, in the order of the listing. */
export function findUnpriced(
  holdings: readonly LedgerHolding[],
  priced: Pick<PricedWallet, 'entries' | 'has'>,
  after: SortKey | undefined,
  limit: number,
): BalanceEntry[] {
  // The usual case.
  if (priced.entries.length === holdings.length) {
    return []
  }
  return holdings
    .filter(({ token }) => !priced.has(token.chain.id, token.address))
    .map(({ token, amount }) => toEntry({ token, amount }))
    .filter(({ key }) => !after || compareKeys(key, after) > 0)
    .sort((a, b) => compareKeys(a.key, b.key))
    .slice(0, limit)
}

/**
 * Loads the unpriced ERC20 balances of a wallet after a key, by chain id and address. A query reads all balances of the
 * wallet, as those priced first do too, since the index of the ledger orders tokens by id.
 */
export async function loadUnpriced(
  db: Kysely<Database>,
  {
    chains,
    wallet,
    priced,
    after,
    limit,
  }: {
    /** By id. */
    readonly chains: readonly ChainConfig[]
    readonly wallet: string
    /** The balances that precede all unpriced ones, and are excluded. */
    readonly priced: Pick<PricedWallet, 'entries' | 'has'>
    /** Undefined or the key of a priced entry to start with the first unpriced one. */
    readonly after: SortKey | undefined
    readonly limit: number
  },
): Promise<BalanceEntry[]> {
  const entries: BalanceEntry[] = []
  const size = Math.min(limit + priced.entries.length, maxRows)
  let starts = startsAfter(chains, after?.[0] === null ? after : undefined)
  while (starts.length > 0 && entries.length < limit) {
    const rows = await loadRows(db, starts, wallet, size)
    for (const row of rows) {
      const [chainId, address, amount] = row
      const chain = chains.find(({ id }) => id === chainId)
      if (!chain || priced.has(chainId, address)) {
        continue
      }
      entries.push(toEntry({ token: toChainToken(chain, row), amount: BigInt(amount ?? 0) }))
    }
    const last = rows.at(-1)
    starts = last && rows.length === size ? startsAfter(chains, [null, last[0], last[1]]) : []
  }
  return entries.slice(0, limit)
}

function startsAfter(chains: readonly ChainConfig[], key: SortKey | undefined): Start[] {
  if (!key) {
    return chains.map((chain) => ({ chain, after: '0x' }))
  }
  const [, chainId, address] = key
  return chains
    .filter(({ id }) => id > chainId || (id === chainId && address !== 'native'))
    .map((chain) => ({ chain, after: chain.id === chainId ? address : '0x' }))
}

async function loadRows(
  db: Kysely<Database>,
  starts: readonly Start[],
  wallet: string,
  size: number,
) {
  const limit = sql.lit(size)
  const { rows } = await sql<{ rows: string | null }>`
    select ${holdingRows} as rows from (
      select held.* from unnest(
        ${integerArray(starts.map(({ chain }) => chain.id))},
        ${bytesArray(starts.map(({ after }) => after))}
      ) as start (chain_id, after)
      cross join lateral (
        select tokens.chain_id, address, amount, amounts_from, name, symbol, decimals
        from balances
        join tokens on tokens.chain_id = balances.chain_id and id = token
        where balances.chain_id = start.chain_id and ${isHolder(sql`holder`, sql`${fromHex(wallet)}::bytea`)}
          and token > 0 and amount > 0
          and address > start.after and standard = 20 and amounts_from = 'ledger'
        order by address
        limit ${limit}
      ) as held
      order by chain_id, address
      limit ${limit}
    ) as holding`.execute(db)
  return parseHoldingRows(rows[0]?.rows)
}
