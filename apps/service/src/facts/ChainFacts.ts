import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactsConfig } from '../config/Config.ts'
import { toChunks } from '../toChunks.ts'
import { describeFile } from './describeFile.ts'
import { type DuckDb, readParquet } from './DuckDb.ts'
import { type FactsIdentity, readIdentity, requireIdentity, requireSame } from './factsIdentity.ts'
import type { FactsStorage, StoredFile } from './FactsStorage.ts'
import { type FactKind, factKinds, quote, selectFromText } from './factTables.ts'
import { openFactsStorage } from './openFactsStorage.ts'
import { parseJson } from './parseJson.ts'

/** Manifests that are read at once. */
const concurrency = 16

/** A file of a chunk. */
interface ChunkFile extends Omit<StoredFile, 'name'> {
  readonly rows: number
}

/** Consecutive final blocks and their facts: a file of each kind. It never changes. */
export interface Chunk {
  /** The first and the last block. */
  readonly from: number
  readonly to: number
  /** Hash of the block before the first. */
  readonly parentHash: string
  /** Hash and time of the last block. */
  readonly hash: string
  readonly time: number
  readonly files: Readonly<Partial<Record<FactKind, ChunkFile>>>
}

/** Blocks of which there are no facts, or no valid ones. */
export interface MissingRange {
  readonly from: number
  /** Undefined after the last chunk. */
  readonly to?: number
  /** Hash of the block before; undefined before the first chunk. */
  readonly parentHash: string | undefined
}

/**
 * The facts of one chain in a storage: `<kind>/<first block>-<last block>.parquet`, and for each chunk
 * `manifest/<first block>-<last block>.json` with the hashes of its files. A chunk exists once its manifest does.
 */
export class ChainFacts {
  /** Of new chunks; the last one before a gap may have fewer. */
  readonly blocksPerChunk: number
  readonly #storage: FactsStorage
  readonly #startBlock: number
  /** By their first block, the longest first. */
  #chunks: readonly Chunk[] = []
  /** Of manifests whose versions are known. */
  readonly #read = new Map<string, { readonly version: string; readonly chunk: Chunk }>()

  private constructor(storage: FactsStorage, startBlock: number, blocksPerChunk: number) {
    this.#storage = storage
    this.#startBlock = startBlock
    this.blocksPerChunk = blocksPerChunk
  }

  /**
   * Opens the facts of a chain, and creates them when there are none.
   *
   * @throws {FactsError} when they belong to another chain, or to other settings, or are not accessible.
   */
  static async open(config: FactsConfig, identity: FactsIdentity): Promise<ChainFacts> {
    const { blocksPerChunk } = config
    const storage = await openFactsStorage(config, String(identity.chainId))
    try {
      await requireIdentity(storage, { blocksPerChunk, ...identity })
      const facts = new ChainFacts(storage, identity.ledger.startBlock, blocksPerChunk)
      await facts.reload()
      return facts
    } catch (error) {
      await storage.close()
      throw error
    }
  }

  /**
   * Finds out whether {@link open} accepts the facts of a chain, and changes nothing.
   *
   * @returns whether there are facts.
   * @throws {FactsError} as {@link open} does.
   */
  static async verify(config: FactsConfig, identity: FactsIdentity): Promise<boolean> {
    const storage = await openFactsStorage(config, String(identity.chainId), { keepsCopies: false })
    try {
      const stored = await readIdentity(storage)
      if (stored) {
        const { blocksPerChunk } = config
        requireSame(storage.location, stored, { blocksPerChunk, ...identity })
      }
      return stored !== undefined
    } finally {
      await storage.close()
    }
  }

  /**
   * Opens facts that exist, with whatever settings they were written, to describe and verify them.
   *
   * @returns undefined when there are none.
   */
  static async openExisting(config: FactsConfig, chainId: number): Promise<ChainFacts | undefined> {
    const storage = await openFactsStorage(config, String(chainId), { keepsCopies: false })
    try {
      const stored = await readIdentity(storage)
      if (stored) {
        const facts = new ChainFacts(storage, stored.ledger.startBlock, config.blocksPerChunk)
        await facts.reload()
        return facts
      }
    } catch (error) {
      await storage.close()
      throw error
    }
    await storage.close()
    return undefined
  }

  /** Path or URL, for messages. */
  get location(): string {
    return this.#storage.location
  }

  /** A local folder for files that are being written, and for what DuckDB spills. No other process or instance uses it. */
  get workFolder(): string {
    return this.#storage.workFolder
  }

  async close(): Promise<void> {
    await this.#storage.close()
  }

  /** All chunks, by their first block. */
  get all(): readonly Chunk[] {
    return this.#chunks
  }

  /**
   * The chunks from the first block on without a gap. Those that overlap the ones before are ignored: processes with other
   * numbers of blocks per chunk wrote them.
   */
  get chunks(): readonly Chunk[] {
    const chunks: Chunk[] = []
    for (const chunk of this.#chunks) {
      const last = chunks.at(-1)
      const isNext = chunk.from === (last ? last.to + 1 : this.#startBlock)
      if (isNext && (!last || chunk.parentHash === last.hash)) {
        chunks.push(chunk)
      }
    }
    return chunks
  }

  /** The first blocks that are missing. Chunks after a gap that do not continue it are missing as well. */
  get missing(): MissingRange {
    const last = this.chunks.at(-1)
    const from = last ? last.to + 1 : this.#startBlock
    const next = this.#chunks.find((chunk) => chunk.from >= from)
    return { from, parentHash: last?.hash, ...(next && next.from > from && { to: next.from - 1 }) }
  }

  /**
   * The last block of the latest complete chunk up to a final block, or of the blocks that are missing between chunks. Below
   * the first missing block if there is none.
   */
  getLastBlock(finalBlock: number): number {
    const { from, to } = this.missing
    const chunks = Math.floor((finalBlock + 1 - from) / this.blocksPerChunk)
    return to ?? from - 1 + chunks * this.blocksPerChunk
  }

  /** Reads the chunks again, which another instance may have changed. */
  async reload(): Promise<void> {
    const listed = (await this.#storage.list('manifest')).filter(({ name }) =>
      name.endsWith('.json'),
    )
    const chunks: (Chunk | undefined)[] = []
    for (const some of toChunks(listed, concurrency)) {
      chunks.push(...(await Promise.all(some.map(this.#readListed))))
    }
    this.#chunks = chunks.filter((chunk) => chunk !== undefined).sort(compareChunks)
  }

  /**
   * Finds out whether {@link load} is possible before anything is downloaded.
   *
   * @throws {FactsError} when local copies need more space than is configured.
   */
  requireSpace(kinds: readonly FactKind[], chunks: readonly Chunk[]): void {
    this.#storage.requireSpace(chunks.flatMap((chunk) => getFiles(chunk, kinds)))
  }

  /**
   * Provides local files of some chunks, without those of an earlier version that lack a kind. Those of an earlier call may
   * not exist afterwards.
   *
   * @throws {FactsError} as {@link requireSpace} does.
   */
  async load<Kind extends FactKind>(
    kinds: readonly Kind[],
    chunks: readonly Chunk[],
    signal: AbortSignal,
  ): Promise<Record<Kind, string[]>> {
    const files = kinds.flatMap((kind) => chunks.flatMap((chunk) => getFiles(chunk, [kind])))
    const paths = await this.#storage.load(files, signal)
    const loaded = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<
      Kind,
      string[]
    >
    for (const [index, { kind }] of files.entries()) {
      loaded[kind as Kind].push(paths[index] as string)
    }
    return loaded
  }

  /**
   * Compares the files of chunks with their hashes, and removes the chunks with others, so that they are fetched again.
   *
   * @param options.kinds - the kinds of files to compare; all by default.
   * @param options.onChunk - called before each chunk, as files in S3 are downloaded.
   * @returns the removed chunks.
   */
  async removeCorrupted(
    chunks: readonly Chunk[],
    {
      kinds = factKinds,
      onChunk,
      signal,
    }: {
      readonly kinds?: readonly FactKind[]
      readonly onChunk?: (index: number) => void
      readonly signal?: AbortSignal
    } = {},
  ): Promise<Chunk[]> {
    const corrupted: Chunk[] = []
    for (const [index, chunk] of chunks.entries()) {
      signal?.throwIfAborted()
      onChunk?.(index)
      const listed = kinds.filter((kind) => chunk.files[kind])
      if (!(await this.isIntact(chunk, listed, signal))) {
        await this.remove(chunk)
        corrupted.push(chunk)
      }
    }
    return corrupted
  }

  /** Whether a chunk has files of some kinds with their hashes. */
  async isIntact(chunk: Chunk, kinds: readonly FactKind[], signal?: AbortSignal): Promise<boolean> {
    const files = getFiles(chunk, kinds)
    for (const file of files) {
      if (!(await this.#storage.isIntact(file, signal))) {
        return false
      }
    }
    return files.length === kinds.length
  }

  /** Removes a chunk, so that its blocks are missing. */
  async remove(chunk: Chunk): Promise<void> {
    await this.#storage.remove(getManifest(chunk))
    this.#chunks = this.#chunks.filter((other) => other !== chunk)
    for (const kind of factKinds) {
      await this.#storage.remove(getFile(kind, chunk))
    }
  }

  /**
   * Converts the text of facts to the files of a chunk, and adds it.
   *
   * @param texts - the file of each kind.
   * @throws {Error} when a file does not have the rows that were written, so that the blocks have to be fetched again.
   */
  async add(
    duckDb: DuckDb,
    chunk: Omit<Chunk, 'files'>,
    texts: Readonly<Record<FactKind, { readonly file: string; readonly rows: number }>>,
    signal?: AbortSignal,
  ): Promise<Chunk> {
    const files = {} as Record<FactKind, ChunkFile>
    const partials: string[] = []
    for (const kind of factKinds) {
      const partial = join(this.workFolder, 'partial', `${kind}-${getName(chunk)}.parquet`)
      await mkdir(join(this.workFolder, 'partial'), { recursive: true })
      const source = selectFromText(kind, texts[kind].file)
      // DuckDB 1.5 (up to 1.5.6) skips rows of bytes that a Bloom filter has: https://github.com/duckdb/duckdb/pull/23829.
      await duckDb.run(
        `copy (${source}) to ${quote(partial)} (format parquet, compression zstd, write_bloom_filter false)`,
        signal,
      )
      const { rows } = texts[kind]
      const count = await duckDb.countRows(readParquet([partial]))
      if (count !== rows) {
        throw new Error(
          `The ${kind} of blocks ${chunk.from} to ${chunk.to} have ${count} rows instead of ${rows}: the files in ${this.workFolder} were changed by another program`,
        )
      }
      files[kind] = { rows, ...(await describeFile(partial)) }
      partials.push(partial)
    }
    const converted: Chunk = { ...chunk, files }
    const manifest = getManifest(chunk)
    const text = `${JSON.stringify(converted, undefined, 2)}\n`
    let added = await this.#findIntact(converted)
    if (!added) {
      for (const [index, file] of getFiles(converted, factKinds).entries()) {
        await this.#storage.add(partials[index] as string, file, signal)
      }
    }
    while (!added) {
      if (await this.#storage.create(manifest, text)) {
        added = converted
      } else if (!(added = await this.#findIntact(converted))) {
        await this.#storage.remove(manifest)
      }
    }
    this.#chunks = [...this.#chunks, added].sort(compareChunks)
    return added
  }

  /** The same blocks, which another process wrote meanwhile. */
  async #findIntact(chunk: Chunk): Promise<Chunk | undefined> {
    const other = await this.#readChunk(getManifest(chunk))
    const isSame = other?.hash === chunk.hash && other.parentHash === chunk.parentHash
    return isSame && (await this.isIntact(other, factKinds)) ? other : undefined
  }

  #readListed = async (listed: {
    readonly name: string
    readonly version?: string
  }): Promise<Chunk | undefined> => {
    const { name, version } = listed
    const known = this.#read.get(name)
    if (known && known.version === version) {
      return known.chunk
    }
    const chunk = await this.#readChunk(name)
    if (chunk && version !== undefined) {
      this.#read.set(name, { version, chunk })
    }
    return chunk
  }

  /** @returns undefined for a manifest that cannot be read, which counts as missing. */
  async #readChunk(name: string): Promise<Chunk | undefined> {
    const chunk = parseJson<Chunk>(await this.#storage.read(name))
    return chunk && getManifest(chunk) === name ? chunk : undefined
  }
}

function compareChunks(a: Chunk, b: Chunk): number {
  return a.from - b.from || b.to - a.to
}

/** Of equal length, so that names are in the order of blocks. */
function getName({ from, to }: Pick<Chunk, 'from' | 'to'>): string {
  return [from, to].map((block) => String(block).padStart(12, '0')).join('-')
}

function getManifest(chunk: Pick<Chunk, 'from' | 'to'>): string {
  return `manifest/${getName(chunk)}.json`
}

function getFile(kind: FactKind, chunk: Pick<Chunk, 'from' | 'to'>): string {
  return `${kind}/${getName(chunk)}.parquet`
}

/** The files that a chunk has of some kinds. */
function getFiles(
  chunk: Chunk,
  kinds: readonly FactKind[],
): (StoredFile & { readonly kind: FactKind })[] {
  return kinds.flatMap((kind) => {
    const file = chunk.files[kind]
    return file ? [{ ...file, kind, name: getFile(kind, chunk) }] : []
  })
}
