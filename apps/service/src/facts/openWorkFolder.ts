import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formatReason } from '../formatReason.ts'
import { lockFolder } from '../store/lockFolder.ts'
import { StoreError } from '../store/StoreError.ts'

/** A folder for temporary files. */
export interface WorkFolder {
  readonly path: string
  /** Deletes the files. */
  close(): Promise<void>
}

/**
 * Opens an empty folder that nothing else uses, of this process or of another: several may write the same facts. It is the
 * first one that is not locked, so that what a process left that was killed is deleted.
 *
 * @throws {StoreError} when it cannot be created or written.
 */
export async function openWorkFolder(root: string): Promise<WorkFolder> {
  for (let number = 1; ; number++) {
    const folder = join(root, String(number))
    const unlock = tryLock(folder)
    if (unlock) {
      return await openLocked(join(folder, 'files'), unlock)
    }
  }
}

async function openLocked(path: string, unlock: () => void): Promise<WorkFolder> {
  let isOpen = true
  const close = async () => {
    if (isOpen) {
      isOpen = false
      try {
        await rm(path, { recursive: true, force: true })
      } finally {
        unlock()
      }
    }
  }
  try {
    await rm(path, { recursive: true, force: true })
    await mkdir(path)
  } catch (error) {
    await close()
    throw error
  }
  return { path, close }
}

/**
 * @returns undefined when the folder is locked.
 * @throws {StoreError} when it cannot be created or written.
 */
function tryLock(folder: string): (() => void) | undefined {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (error instanceof StoreError && error.isInUse) {
      return undefined
    }
    throw new StoreError(
      `The folder ${folder} of the facts cannot be used (${formatReason(error)}): change its permissions, or choose another facts.folder or facts.s3.cacheFolder`,
      { cause: error },
    )
  }
}
