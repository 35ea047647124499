import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from './StoreError.ts'

/** `SQLITE_BUSY`: another connection holds the lock. */
const sqliteBusy = 5

/** The garbage collector closes a connection without references, which would release its lock. */
const heldLocks = new Set<DatabaseSync>()

/**
 * Locks a folder for this process. PGlite itself lets two processes open the same folder, and then silently loses rows.
 *
 * The lock is that of SQLite, which is a file lock of the operating system: it is released with the process, even by
 * `kill -9`, so that it is never stale. The file beside it only contains the process id.
 *
 * @returns a function that releases the lock.
 * @throws {StoreError} when another process holds it.
 */
export function lockFolder(folder: string): () => void {
  createFolder(folder)
  const owner = join(folder, 'lock.pid')
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) {
      throw error
    }
    throw new StoreError(
      `The data folder ${folder} is in use by ${readOwner(owner)}; stop it or choose another folder with --data`,
      { isInUse: true },
    )
  }
  heldLocks.add(lock)
  writeFileSync(owner, String(process.pid))
  return () => {
    heldLocks.delete(lock)
    lock.close()
  }
}

/** The recursive `mkdir` of Node.js never ends where a parent exists in which no folder can be created, as in `/proc`. */
function createFolder(folder: string): void {
  if (!existsSync(dirname(folder))) {
    createFolder(dirname(folder))
  }
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw error
    }
  }
}

function readOwner(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}
