import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Kysely } from 'kysely'
import { formatReason } from '../formatReason.ts'
import { getAvailableMemory } from '../getAvailableMemory.ts'
import { Semaphore } from '../queues/Semaphore.ts'
import { isTracing, traceQuery } from '../tracing.ts'
import { createPGliteFolder } from './createPGliteFolder.ts'
import type { Database } from './Database.ts'
import { lockFolder } from './lockFolder.ts'
import { PGliteClient } from './PGliteClient.ts'
import { PGliteThreadDialect } from './PGliteThreadDialect.ts'
import type { Store } from './Store.ts'
import { StoreError } from './StoreError.ts'

/**
 * Within its first seconds, V8 optimizes the function of PostgreSQL that evaluates expressions, for which it needs 600 MB for two
 * seconds. With less memory than this, it does not optimize the database, which takes up to 1.8 times the CPU time then.
 */
const minOptimizingBytes = 1.25 * 2 ** 30

const never = new AbortController().signal

/**
 * Opens the embedded PostgreSQL in a worker thread: in a folder, or in memory from an image file. A commit to a folder is
 * flushed to the disk before it resolves.
 *
 * @throws {StoreError} when another process uses the folder, or the database is damaged or cannot be created.
 */
export async function openPGlite(
  location: { readonly folder: string } | { readonly image: string },
): Promise<Store> {
  const unlock = 'folder' in location ? lockDataFolder(location.folder) : () => {}
  try {
    const source = 'image' in location ? location : { dataDir: join(location.folder, 'pglite') }
    if ('dataDir' in source) {
      await createPGliteFolder(source.dataDir)
    }
    if (getAvailableMemory() < minOptimizingBytes) {
      setFlagsFromString('--no-wasm-tier-up')
      setFlagsFromString('--no-wasm-dynamic-tiering')
    }
    const client = await PGliteClient.open(source)
    const db = new Kysely<Database>({
      dialect: new PGliteThreadDialect(client),
      ...(isTracing && { log: traceQuery }),
    })
    return {
      db,
      reader: db,
      replica: undefined,
      kind: 'pglite',
      failed: client.failed,
      // The lock of the folder excludes other processes from all chains; a repair excludes the indexer.
      lockChain: createChainLocks(),
      watchChains(onChange) {
        client.chainListeners.add(onChange)
        return async () => void client.chainListeners.delete(onChange)
      },
      async close() {
        try {
          await db.destroy()
          // Kysely closes the client only if it has used it.
          await client.close()
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

/** Locks of chains within this process. */
function createChainLocks(): Store['lockChain'] {
  const semaphores = new Map<number, Semaphore>()
  return (chainId, { signal, onWaiting }) => {
    const semaphore = semaphores.get(chainId) ?? new Semaphore(1)
    semaphores.set(chainId, semaphore)
    if (!semaphore.isFree) {
      onWaiting?.()
    }
    return new Promise((resolve) => {
      const hold = () =>
        new Promise<void>((release) => {
          resolve({ lost: never, release: async () => release() })
        })
      semaphore.run(hold, signal).catch(() => resolve(undefined))
    })
  }
}

/** @throws {StoreError} when another process uses the folder, or it cannot be created or written. */
function lockDataFolder(folder: string): () => void {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof StoreError) {
      throw error
    }
    throw new StoreError(
      `The data folder ${folder} cannot be used (${formatReason(error)}): choose another with --data, change its permissions, or free space on its disk`,
      { cause: error },
    )
  }
}
