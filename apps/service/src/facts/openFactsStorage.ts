import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactsConfig } from '../config/Config.ts'
import type { FactsStorage } from './FactsStorage.ts'
import { FolderStorage } from './FolderStorage.ts'
import { openWorkFolder, type WorkFolder } from './openWorkFolder.ts'
import { S3Storage } from './S3Storage.ts'

/**
 * Opens the storage that is configured.
 *
 * @param folder - what it is of, such as the id of a chain.
 * @param options.keepsCopies - false where files are read once, and no facts are written.
 * @throws {FactsError} when the package of the storage is not installed.
 */
export async function openFactsStorage(
  { folder: root, s3 }: FactsConfig,
  folder: string,
  { keepsCopies }: { readonly keepsCopies: boolean } = { keepsCopies: true },
): Promise<FactsStorage> {
  const local = s3?.cacheFolder ?? root
  const work = keepsCopies
    ? await openWorkFolder(join(local, folder, 'work'))
    : createTemporaryFolder(local)
  try {
    return s3
      ? await S3Storage.open(root, s3, folder, { work, keepsCopies })
      : new FolderStorage(root, folder, work)
  } catch (error) {
    await work.close()
    throw error
  }
}

/** The folder is created with its first file, so that reads of facts change nothing. */
function createTemporaryFolder(root: string): WorkFolder {
  const path = join(root, `temporary-${randomUUID()}`)
  return { path, close: () => rm(path, { recursive: true, force: true }) }
}
