import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SeededRandom } from '@headwater/devnet'
import type { FileChange } from './FileChange.ts'

/** What happens to changes that were not flushed: all are lost, or each is lost at random, in parts of a sector. */
export type LossKind = 'lost' | 'torn'

/** Disks write sectors of this size as a whole; a page of PostgreSQL has two. */
const sectorSize = 4096

/** A file: its bytes on the disk, and the later changes in the cache of the operating system. */
class DiskFile {
  flushed: Buffer
  readonly cached: ({ position: number; bytes: Buffer } | { size: number })[] = []

  constructor(flushed: Buffer) {
    this.flushed = flushed
  }

  flush(): void {
    this.flushed = this.#applyTo(this.flushed, () => true)
    this.cached.length = 0
  }

  /** The content after a loss of power. */
  afterLoss(kind: LossKind, random: SeededRandom): Buffer {
    return this.#applyTo(Buffer.from(this.flushed), () => kind === 'torn' && random.chance(50))
  }

  /** Applies the cached changes to the bytes in place, unless they grow. */
  #applyTo(content: Buffer, survives: () => boolean): Buffer {
    for (const change of this.cached) {
      if ('size' in change) {
        content = survives() ? resize(content, change.size) : content
        continue
      }
      const { position, bytes } = change
      for (let start = 0; start < bytes.length;) {
        const end = Math.min(bytes.length, start + sectorSize - ((position + start) % sectorSize))
        if (survives()) {
          content = resize(content, Math.max(content.length, position + end))
          bytes.copy(content, position + start, start, end)
        }
        start = end
      }
    }
    return content
  }
}

/** What it adds is zero. */
function resize(content: Buffer, size: number): Buffer {
  return size <= content.length
    ? content.subarray(0, size)
    : Buffer.concat([content, Buffer.alloc(size - content.length)])
}

/** Undefined for a folder. */
type Names = Map<string, DiskFile | undefined>

/**
 * A disk that replays recorded changes up to a loss of power. Contents are on it once their file is flushed. Names (files
 * created, renamed and removed) are on it in their order, with the next flush of any file: file systems keep a journal of
 * them, which a flush writes.
 */
export class Disk {
  readonly #base: string
  readonly #files = new Map<number, DiskFile>()
  readonly #names: Names = new Map()
  readonly #flushedNames: Names = new Map()
  #cachedNames: ((names: Names) => void)[] = []

  /** @param base - the folder before the recording, all of it flushed. */
  constructor(base: string) {
    this.#base = base
  }

  apply(change: FileChange, bytes: Buffer): void {
    switch (change.type) {
      case 'open': {
        const file = this.#find(change.path)
        if (file) {
          this.#files.set(change.file, file)
          if (change.size !== undefined) {
            file.cached.push({ size: change.size })
          }
        } else {
          this.#files.delete(change.file)
        }
        return
      }
      case 'write':
        this.#files.get(change.file)?.cached.push({ position: change.position, bytes })
        return
      case 'truncate':
        this.#files.get(change.file)?.cached.push({ size: change.size })
        return
      case 'flush':
        this.#files.get(change.file)?.flush()
        for (const rename of this.#cachedNames) {
          rename(this.#flushedNames)
        }
        this.#cachedNames = []
        return
      case 'create':
      case 'mkdir': {
        const file = change.type === 'create' ? new DiskFile(Buffer.alloc(0)) : undefined
        return this.#rename((names) => names.set(change.path, file))
      }
      case 'remove':
        return this.#rename((names) => names.set(change.path, removed))
      case 'rename': {
        const file = this.#find(change.path)
        return this.#rename((names) => names.set(change.path, removed).set(change.target, file))
      }
    }
  }

  /** Writes the folder as a loss of power leaves it. */
  write(folder: string, kind: LossKind, random: SeededRandom): void {
    const names = new Map(this.#flushedNames)
    const survivors = kind === 'torn' ? random.integer(0, this.#cachedNames.length) : 0
    for (const rename of this.#cachedNames.slice(0, survivors)) {
      rename(names)
    }
    cpSync(this.#base, folder, { recursive: true })
    for (const [path, file] of names) {
      const target = join(folder, path)
      if (file === removed) {
        rmSync(target, { recursive: true, force: true })
      } else if (file) {
        writeFileSync(target, file.afterLoss(kind, random))
      } else {
        mkdirSync(target, { recursive: true })
      }
    }
  }

  #rename(change: (names: Names) => void): void {
    change(this.#names)
    this.#cachedNames.push(change)
  }

  /** The file of a name; undefined for a folder. */
  #find(path: string): DiskFile | undefined {
    if (!this.#names.has(path)) {
      const source = join(this.#base, path)
      const file = statSync(source).isFile() ? new DiskFile(readFileSync(source)) : undefined
      this.#names.set(path, file)
      this.#flushedNames.set(path, file)
    }
    return this.#names.get(path)
  }
}

/** In place of a file: the name was removed. */
const removed = new DiskFile(Buffer.alloc(0))
