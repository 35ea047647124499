import { type Kysely, sql } from 'kysely'
import type { Database } from '../src/store/Database.ts'

/** A row of the ledger of a chain, with the address of its token. */
interface LedgerRow {
  /** Lower-case hex. */
  readonly holder: string
  readonly token: string
  readonly standard: 20 | 721
  readonly amount: string
  readonly first_in_block: number | null
  readonly initiated_block: number | null
}

/** Reads the balances of a chain. */
export async function readLedger(db: Kysely<Database>, chainId: number): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select '0x' || encode(holder, 'hex') as holder, '0x' || encode(address, 'hex') as token,
      case when token > 0 then 20 else 721 end as standard, amount, first_in_block, initiated_block
    from balances left join tokens on tokens.chain_id = balances.chain_id and id = abs(token)
    where balances.chain_id = ${chainId}::bigint`.execute(db)
  return rows
}
