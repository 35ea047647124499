import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { bytesArray, integerArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { type Entry, type SortKey, toEntry } from './compareByValue.ts'
import { holdingRows, parseHoldingRows, toChainToken } from './HoldingRow.ts'
import type { Wallet } from './loadWallet.ts'

/** Rows read at once, however many of them turn out to be priced. */
const MAXIMUM_ROWS = 2_000

/** Where the listing stands on a chain. `0x` is before any address, and `native` is after all. */
interface Start {
  readonly chain: ChainConfig
  readonly after: string
}

/**
 * Loads the unpriced ERC20 tokens of a wallet that follow a key, by chain id and address: a range of the ledger's primary
 * key on each chain, so that a page costs the same wherever it is and however many there are.
 *
 * @param chains - by id.
 * @param priced - tells the tokens that come before all of these. They are left out.
 * @param after - undefined, or a key with a value, to begin with the first.
 */
export async function loadUnpriced(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
  wallet: string,
  priced: Pick<Wallet, 'entries' | 'has'>,
  after: SortKey | undefined,
  limit: number,
): Promise<Entry[]> {
  const entries: Entry[] = []
  const size = Math.min(limit + priced.entries.length, MAXIMUM_ROWS)
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
        join tokens on tokens.chain_id = balances.chain_id and address = token
        where balances.chain_id = start.chain_id and holder = ${fromHex(wallet)} and token > start.after
          and balances.standard = 20 and amount > 0
          and tokens.standard = 20 and amounts_from = 'ledger'
        order by token
        limit ${limit}
      ) as held
      order by chain_id, address
      limit ${limit}
    ) as holding`.execute(db)
  return parseHoldingRows(rows[0]?.rows)
}
