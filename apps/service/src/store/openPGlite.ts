import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { Database } from './Database.ts'
import { lockFolder } from './lockFolder.ts'
import { parseSafeInteger } from './parseSafeInteger.ts'
import type { Store } from './Store.ts'

/**
 * Opens the embedded PostgreSQL in a folder of its own, or in memory from an image. A commit to a folder has been handed
 * to the operating system when it returns, so that it survives `kill -9` of this process.
 *
 * @throws {StoreError} when another process has the folder.
 */
export async function openPGlite(
  location: { readonly folder: string } | { readonly image: Blob },
): Promise<Store> {
  const unlock = 'folder' in location ? lockFolder(location.folder) : () => {}
  try {
    const pglite = await PGlite.create({
      ...('folder' in location
        ? { dataDir: join(location.folder, 'pglite') }
        : { loadDataDir: location.image }),
      parsers: { [types.INT8]: parseSafeInteger, [types.NUMERIC]: (text: string) => text },
    })
    const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) })
    return {
      db,
      kind: 'pglite',
      async close() {
        try {
          await db.destroy()
          // Kysely closes only what it has used.
          if (!pglite.closed) await pglite.close()
        } finally {
          unlock()
        }
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}
