import { inject } from 'vitest'
import { openStore } from '../src/store/openStore.ts'
import type { Store } from '../src/store/Store.ts'

/** Opens an empty store on PGlite in memory. */
export async function openMemoryStore(): Promise<Store> {
  return await openStore({ image: inject('pgliteImage') })
}
