import { inject } from 'vitest'
import { openStore } from '../src/store/openStore.ts'
import type { Store } from '../src/store/Store.ts'

/** An empty store on the embedded database, in memory. */
export async function openMemoryStore(): Promise<Store> {
  return await openStore({ image: inject('pgliteImage') })
}
