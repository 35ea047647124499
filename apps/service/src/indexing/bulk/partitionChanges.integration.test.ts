import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { DuckDb } from '../../facts/DuckDb.ts'
import { factKinds, factTables } from '../../facts/factTables.ts'
import type { StoredScope } from '../decode/StoredScope.ts'
import { createSharedTables, type Fold, type FoldChanges, getFolds } from './foldQueries.ts'
import { partitionChanges } from './partitionChanges.ts'

const scope: StoredScope = {
  ledger: { startBlock: 0, wrappedNativeEmitsTransfers: false },
  pools: { factories: {} },
  sales: { marketplaces: [] },
}
const account = (seed: string) => `unhex(md5(${seed}) || '0a0b0c0d')`

/** Transfers of two tokens, of which one has amounts up to 256 bits, and of an ERC721 collection. */
async function openFacts(): Promise<DuckDb> {
  // DuckDB reads brackets in the paths of files as a pattern.
  const folder = mkdtempSync(join(tmpdir(), 'headwater-[parts]-'))
  const duckDb = await DuckDb.open({ folder: join(folder, 'spill'), memoryLimit: '256MB' })
  onTestFinished(() => {
    duckDb.close()
    rmSync(folder, { recursive: true })
  })
  for (const kind of factKinds) {
    const columns = Object.entries(factTables[kind]).map(([name, type]) => `${name} ${type}`)
    await duckDb.run(`create table ${kind} (${columns.join()})`)
  }
  await duckDb.run(`
    insert into transfers
    select i, i % 7, 0, if(i % 3 = 2, 721, 20), ${account("'token' || i % 3")}, ${account("'' || i % 101")},
      ${account("'' || i % 97")}, if(i % 3 = 2, (i % 40)::varchar, null),
      case i % 3 when 0 then '${2n ** 256n - 1n}' when 1 then (i * 1000000007)::varchar else '1' end,
      ${account("'' || i % 89")}
    from range(3000) range(i)`)
  return duckDb
}

it('divides changes by their key, and folds them as one part does', async () => {
  const duckDb = await openFacts()
  const { signal } = new AbortController()
  for (const statement of createSharedTables(scope)) {
    await duckDb.run(statement)
  }
  const load = async ({ query }: Fold, changes: FoldChanges, bytesPerChange?: number) => {
    const parts = await partitionChanges(duckDb, changes, signal, bytesPerChange)
    const rows: unknown[] = []
    // One after another: the files of a part are those of the latest call.
    for (const part of parts) {
      rows.push(...(await duckDb.query(`with changes as (${part}) ${query}`)))
    }
    return { parts: parts.length, rows: rows.map((row) => JSON.stringify(row, toText)) }
  }
  const tables = []
  for (const fold of getFolds(scope)) {
    if (fold.changes) {
      const whole = await load(fold, fold.changes)
      const inParts = await load(fold, fold.changes, 2 ** 18)
      // More parts than are written at once; most have the rows of one key.
      const divided = await load(fold, fold.changes, 2 ** 23)
      expect(whole.parts).toBe(1)
      expect(inParts.parts).toBeGreaterThan(2)
      expect(whole.rows.length).toBeGreaterThan(10)
      expect(inParts.rows.toSorted()).toEqual(whole.rows.toSorted())
      expect(divided.parts).toBeGreaterThan(inParts.parts)
      expect(divided.rows.toSorted()).toEqual(whole.rows.toSorted())
      tables.push(fold.table)
    }
  }
  expect(tables).toEqual(['balances', 'collectible_balances', 'collectibles'])
})

function toText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
