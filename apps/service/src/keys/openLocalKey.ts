import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { Store } from '../store/Store.ts'
import { createKey } from './createKey.ts'
import { hashKey } from './hashKey.ts'
import { loadKeys } from './loadKeys.ts'
import { validateKey } from './validateKey.ts'

/** A key for requests from this machine. */
export interface LocalKey {
  readonly secret: string
  /** Absolute path of the file that contains it. */
  readonly file: string
}

/**
 * The key of a service that was started without a configuration. A database stores hashes of keys only, so the key is kept
 * in a file that only its owner can read. It is issued again when the file is missing, or the key is not one of the
 * database's, was revoked, or is expired.
 *
 * @param folder - the data folder.
 */
export async function openLocalKey(
  { db, reader }: Pick<Store, 'db' | 'reader'>,
  folder: string,
): Promise<LocalKey> {
  const file = join(folder, 'local-key')
  const known = read(file)
  if (known !== undefined && (await isValid(reader, known))) {
    return { secret: known, file }
  }
  mkdirSync(folder, { recursive: true })
  // Before the key is issued, which would remain without a file.
  const descriptor = openSync(file, 'w', 0o600)
  try {
    const { secret } = await createKey(db, { name: 'local' })
    writeSync(descriptor, `${secret}\n`)
    return { secret, file }
  } finally {
    closeSync(descriptor)
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined
    }
    throw error
  }
}

async function isValid(db: Kysely<Database>, secret: string): Promise<boolean> {
  const [key] = (await loadKeys(db, [hashKey(secret)])).values()
  return validateKey(key) !== undefined
}
