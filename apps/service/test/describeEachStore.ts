import { sql } from 'kysely'
import { describe, inject } from 'vitest'
import { openStore } from '../src/store/openStore.ts'
import type { Store } from '../src/store/Store.ts'
import { createTestDatabase } from './createTestDatabase.ts'
import { openMemoryStore } from './openMemoryStore.ts'

/**
 * Runs tests on every supported database: PGlite in memory and PostgreSQL.
 *
 * @param tests - declares the tests. `openTestStore` returns a shared store with empty tables (see
 *   {@link openSharedStore}); `kind` is for tests of one database only.
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
  tests: (openTestStore: () => Promise<Store>, kind: Store['kind']) => void,
): void {
  describe(`${name} (PGlite)`, () => tests(() => openSharedStore('pglite'), 'pglite'))
  const postgres = inject('postgres')
  const reason = 'missing' in postgres ? ` skipped: ${postgres.missing}` : ''
  describe.skipIf(reason)(`${name} (PostgreSQL${reason})`, () =>
    tests(() => openSharedStore('postgres'), 'postgres'),
  )
}

const open = {
  pglite: openMemoryStore,
  // The global setup drops the database.
  postgres: async () => await openStore({ databaseUrl: (await createTestDatabase()).url }),
}
/** Remains between the files of a worker process, as `isolate` is false. */
const shared = new Map<Store['kind'], Promise<Store>>()

/**
 * Returns a store with empty tables. All tests of a worker process share one store of each kind, because opening one takes
 * longer than most tests, so that each call empties the tables of the earlier ones. Tests must not close it.
 */
export async function openSharedStore(kind: Store['kind']): Promise<Store> {
  const opening = shared.get(kind) ?? open[kind]()
  shared.set(kind, opening)
  const store = await opening
  await emptyTables(store)
  return store
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
      -- Without partitioned tables: these would include all partitions.
      for name in select quote_ident(relname) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_%'
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
