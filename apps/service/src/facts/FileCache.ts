import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasContent } from './describeFile.ts'
import type { StoredFile } from './FactsStorage.ts'
import { orMissing } from './orMissing.ts'

/** Local copies of files, named by their content. Beyond a limit, those that were used longest ago are deleted. */
export class FileCache {
  readonly #folder: string
  readonly #limit: number
  /** Bytes by the name of a copy, which is its hash. The one used longest ago comes first. */
  readonly #copies: Map<string, number>

  private constructor(folder: string, limit: number, copies: Map<string, number>) {
    this.#folder = folder
    this.#limit = limit
    this.#copies = copies
  }

  /** Opens the copies in a folder, and creates it. @param limit - in bytes. */
  static async open(folder: string, limit: number): Promise<FileCache> {
    await mkdir(folder, { recursive: true })
    const copies: { name: string; bytes: number; time: number }[] = []
    for (const name of await readdir(folder)) {
      // Another process with the same folder may delete it.
      const found = await orMissing(stat(join(folder, name)))
      if (found) {
        copies.push({ name, bytes: found.size, time: found.mtimeMs })
      }
    }
    copies.sort((a, b) => a.time - b.time)
    return new FileCache(folder, limit, new Map(copies.map(({ name, bytes }) => [name, bytes])))
  }

  /** The path of the copy of a file, which may not exist. */
  getPath({ sha256 }: StoredFile): string {
    return join(this.#folder, sha256)
  }

  /** @returns whether there is a copy: another process with the same folder may have deleted it. */
  async has(stored: StoredFile): Promise<boolean> {
    return (
      this.#copies.has(stored.sha256) && (await orMissing(stat(this.getPath(stored)))) !== undefined
    )
  }

  /** @returns whether there is a copy with the content that its name states; another is deleted. */
  async isIntact(stored: StoredFile): Promise<boolean> {
    if (this.#copies.has(stored.sha256) && (await hasContent(this.getPath(stored), stored))) {
      return true
    }
    this.#copies.delete(stored.sha256)
    await rm(this.getPath(stored), { force: true })
    return false
  }

  /** Moves a local file into the folder. */
  async add(file: string, stored: StoredFile): Promise<void> {
    await rename(file, this.getPath(stored))
    this.#copies.set(stored.sha256, stored.bytes)
  }

  /** Deletes copies until there is space for further bytes. @param kept - files whose copies are not deleted. */
  async makeSpace(bytes: number, kept: readonly StoredFile[] = []): Promise<void> {
    for (const { sha256 } of kept) {
      const size = this.#copies.get(sha256)
      if (size !== undefined) {
        this.#copies.delete(sha256)
        this.#copies.set(sha256, size)
      }
    }
    const keptNames = new Set(kept.map(({ sha256 }) => sha256))
    let total = [...this.#copies.values()].reduce((sum, each) => sum + each, bytes)
    for (const [name, size] of this.#copies) {
      if (total <= this.#limit || keptNames.has(name)) {
        return
      }
      await rm(join(this.#folder, name), { force: true })
      this.#copies.delete(name)
      total -= size
    }
  }
}
