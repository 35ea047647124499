import { sql } from 'kysely'
import { afterAll, describe, inject } from 'vitest'
import { openStore } from '../src/store/openStore.ts'
import type { Store } from '../src/store/Store.ts'
import { createTestDatabase } from './createTestDatabase.ts'
import { openMemoryStore } from './openMemoryStore.ts'

/**
 * Returns a store with empty tables. The tests of a block share one store, so each call empties the tables of the earlier
 * ones. It is closed after the block.
 */
type OpenTestStore = () => Promise<Store>

/**
 * Runs tests on every supported database: PGlite in memory and PostgreSQL.
 *
 * @param tests - declares the tests; `kind` is for those of one database only.
 *
 * @example
 * ```ts
 * describeEachStore('createKey', (openTestStore) => {
 *   it('keeps the hash only', async () => {
 *     const { db } = await openTestStore()
 *   })
 * })
 * ```
 */
export function describeEachStore(
  name: string,
  tests: (openTestStore: OpenTestStore, kind: Store['kind']) => void,
): void {
  describe(`${name} (PGlite)`, () => {
    tests(
      reusing(async () => ({ store: await openMemoryStore(), drop: async () => {} })),
      'pglite',
    )
  })
  const postgres = inject('postgres')
  const reason = 'missing' in postgres ? ` skipped: ${postgres.missing}` : ''
  describe.skipIf(reason)(`${name} (PostgreSQL${reason})`, () => {
    tests(
      reusing(async () => {
        const { url, drop } = await createTestDatabase()
        return { store: await openStore({ databaseUrl: url }), drop }
      }),
      'postgres',
    )
  })
}

function reusing(open: () => Promise<{ store: Store; drop: () => Promise<void> }>): OpenTestStore {
  let opened: ReturnType<typeof open> | undefined
  afterAll(async () => {
    const current = await opened
    await current?.store.close()
    await current?.drop()
  })
  return async () => {
    opened ??= open()
    const { store } = await opened
    await emptyTables(store)
    return store
  }
}

/** Deletes the rows of all tables. */
export async function emptyTables({ db }: Store): Promise<void> {
  // Truncating a table takes far longer than checking whether it has rows, and most have none.
  await sql`
    do $$
    declare
      name text;
      written text[] := '{}';
      has_rows boolean;
    begin
      for name in select quote_ident(tablename) from pg_tables
        where schemaname = 'public' and tablename not like 'kysely_%'
      loop
        execute 'select exists (select from ' || name || ')' into has_rows;
        if has_rows then written := written || name; end if;
      end loop;
      if written <> '{}' then execute 'truncate ' || array_to_string(written, ', ') || ' cascade'; end if;
      for name in select quote_ident(sequencename) from pg_sequences
        where schemaname = 'public' and last_value is not null
      loop
        execute 'alter sequence ' || name || ' restart';
      end loop;
    end $$`.execute(db)
}
