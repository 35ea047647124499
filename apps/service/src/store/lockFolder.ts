import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from './StoreError.ts'

/** SQLite's result code for "another connection holds the lock". */
const sqliteBusy = 5

/**
 * Takes a folder for this process alone. PGlite itself lets two processes open one folder and silently loses rows.
 *
 * The lock is SQLite's, which is the operating system's lock on a file: it goes when the process goes, even by
 * `kill -9`, so that none can be stale. The file beside it only names the owner.
 *
 * @returns a function that gives the folder up.
 * @throws {StoreError} when another process holds the folder.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
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
    )
  }
  writeFileSync(owner, String(process.pid))
  return () => lock.close()
}

function readOwner(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8')}`
  } catch {
    return 'another process'
  }
}
