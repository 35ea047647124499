import { sql } from 'kysely'
import { toHolder } from '../../../../apps/service/src/operations/tokenHolders/handleTokenHolders.ts'
import { loadHolders } from '../../../../apps/service/src/operations/tokenHolders/loadHolders.ts'
import { loadRankedToken } from '../../../../apps/service/src/operations/tokenHolders/loadRankedToken.ts'
import type { Store } from '../../../../apps/service/src/store/Store.ts'
import { printFigure, rounded } from '../../printFigure.ts'
import { median } from '../../quantile.ts'
import { benchChainId } from '../history/startNode.ts'
import { seeded } from './seedStore.ts'

const limit = 500
const rounds = 60

/**
 * Measures a page of holders from the store, the first and the thousandth (if it exists), and the plain query of its rows.
 */
export async function benchPages({ db }: Store, store: string, holders: number): Promise<void> {
  const farPage = Math.min(1000, Math.floor(holders / limit))
  const range = {
    chainId: benchChainId,
    token: seeded.token,
    ...(await loadRankedToken(db, benchChainId, seeded.token)),
    after: undefined,
    limit,
  }
  const token = sql`${range.ledgerToken}::int`
  const { rows } = await sql<{ amount: string; holder: string }>`
    select amount, '0x' || encode(holder, 'hex') as holder from balances
    where chain_id = ${benchChainId}::bigint and token = ${token} and amount > 0
    order by amount desc, holder offset ${(farPage - 1) * limit - 1}::int limit 1`.execute(db)
  const [row] = rows
  if (!row) {
    throw new Error('The store has fewer than two pages')
  }
  const far = { ...range, after: [row.amount, row.holder] as const }

  const bare = () =>
    sql`
    select holder, amount from balances
    where chain_id = ${benchChainId}::bigint and token = ${token} and amount > 0
    order by amount desc, holder limit ${sql.lit(limit)}`.execute(db)
  const page = async (of: Parameters<typeof loadHolders>[1]) =>
    JSON.stringify((await loadHolders(db, of)).map(toHolder))
  const times = { bare: [] as number[], first: [] as number[], far: [] as number[] }
  // In turns, so that other load on the machine affects all of them.
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await timed(bare))
    times.first.push(await timed(() => page(range)))
    times.far.push(await timed(() => page(far)))
  }
  const bareMs = median(times.bare)
  const firstMs = median(times.first)
  const farMs = median(times.far)
  printFigure('page of 500 holders', {
    store,
    bare_query_ms: rounded(bareMs),
    page_1_ms: rounded(firstMs),
    far_page: farPage,
    far_page_ms: rounded(farMs),
    times_bare: rounded(firstMs / bareMs),
    reach: 2,
    ok: firstMs <= 2 * bareMs,
    far_page_to_page_1: rounded(farMs / firstMs),
  })
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
