import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasContent } from './describeFile.ts'
import type { FactsStorage, StoredFile } from './FactsStorage.ts'
import type { WorkFolder } from './openWorkFolder.ts'
import { orMissing } from './orMissing.ts'
import { createFolder, flush, writeDurably } from './writeDurably.ts'

/** A local folder. */
export class FolderStorage implements FactsStorage {
  readonly location: string
  readonly workFolder: string
  readonly #work: WorkFolder

  /** @param work - on the same disk. */
  constructor(root: string, folder: string, work: WorkFolder) {
    this.location = join(root, folder)
    this.workFolder = work.path
    this.#work = work
  }

  async list(folder: string): Promise<{ name: string }[]> {
    const names = await orMissing(readdir(join(this.location, folder)))
    return (names ?? []).map((name) => ({ name: `${folder}/${name}` }))
  }

  async read(name: string): Promise<string | undefined> {
    return await orMissing(readFile(join(this.location, name), 'utf8'))
  }

  async create(name: string, text: string): Promise<boolean> {
    const file = join(this.location, name)
    const written = join(this.workFolder, randomUUID())
    await mkdir(this.workFolder, { recursive: true })
    await createFolder(dirname(file))
    await writeDurably(written, text)
    try {
      await link(written, file)
      await flush(dirname(file))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        return false
      }
      throw error
    } finally {
      await rm(written)
    }
  }

  async add(file: string, { name }: StoredFile): Promise<void> {
    const target = join(this.location, name)
    await createFolder(dirname(target))
    // A manifest names the file, also after a power loss.
    await flush(file)
    await rename(file, target)
    await flush(dirname(target))
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.location, name), { force: true })
  }

  isIntact(stored: StoredFile): Promise<boolean> {
    return hasContent(join(this.location, stored.name), stored)
  }

  /** Files are read where they are. */
  requireSpace(): void {}

  async load(stored: readonly StoredFile[]): Promise<string[]> {
    return stored.map(({ name }) => join(this.location, name))
  }

  async close(): Promise<void> {
    await this.#work.close()
  }
}
