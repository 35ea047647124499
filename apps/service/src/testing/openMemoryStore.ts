import { inject } from 'vitest'
import { openStore } from '../store/openStore.ts'
import type { Store } from '../store/Store.ts'

/** An empty store on the embedded database, in memory. */
export async function openMemoryStore(): Promise<Store> {
  return await openStore({ image: inject('pgliteImage') })
}
