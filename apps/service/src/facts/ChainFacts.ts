import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isSameScope, type StoredScope } from '../indexing/decode/StoredScope.ts'
import { describeLedgerChange } from '../indexing/follow/describeLedgerChange.ts'
import type { DuckDb } from './DuckDb.ts'
import { FactsError } from './FactsError.ts'
import { type FactKind, factKinds, quote, selectFromText } from './factTables.ts'
import { writeDurably } from './writeDurably.ts'

/** Of the columns and of what is decoded. */
const formatVersion = 2
/** Facts of version 1 lack `pool_logs` only: a chunk lists the kinds that it has, and new ones have all. */
const readableVersions: readonly number[] = [1, formatVersion]

/** A file of a chunk. */
interface ChunkFile {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
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
  /** Hash of the last block, which the next chunk extends. */
  readonly hash?: string
}

/** What the facts of a chain depend on. */
interface FactsIdentity {
  readonly chainId: number
  readonly genesisHash: string
  readonly ledger: StoredScope['ledger']
}

/**
 * The facts of one chain in a local folder: `<kind>/<first block>-<last block>.parquet`, and for each chunk
 * `manifest/<first block>-<last block>.json` with the hashes of its files. A chunk exists once its manifest does.
 */
export class ChainFacts {
  /** The folder of the chain. */
  readonly folder: string
  readonly #startBlock: number
  /** By their first block. */
  #chunks: readonly Chunk[]

  private constructor(folder: string, startBlock: number, chunks: readonly Chunk[]) {
    this.folder = folder
    this.#startBlock = startBlock
    this.#chunks = chunks
  }

  /**
   * Opens the facts of a chain, and creates its folder.
   *
   * @throws {FactsError} when they belong to another chain, or to other settings of the ledger.
   */
  static async open(root: string, { chainId, genesisHash, ledger }: FactsIdentity) {
    const folder = join(root, String(chainId))
    await mkdir(join(folder, 'manifest'), { recursive: true })
    const file = join(folder, 'facts.json')
    const stored = await readJson<FactsIdentity & { readonly version: number }>(file)
    const remedy = `restore the settings, or delete ${folder} to fetch the facts again`
    if (stored && !readableVersions.includes(stored.version)) {
      throw new FactsError(
        `The facts in ${folder} have version ${stored.version}, this program reads ${readableVersions.join(' and ')}: restore the version of the program, or delete that folder to fetch all blocks again, which takes as long as the initial indexing; headwater estimate measures it`,
      )
    }
    if (stored && (stored.chainId !== chainId || stored.genesisHash !== genesisHash)) {
      throw new FactsError(
        `The facts in ${folder} are those of another chain (genesis ${stored.genesisHash}, the node has ${genesisHash}): choose another folder`,
      )
    }
    if (stored && !isSameScope(stored.ledger, ledger)) {
      throw new FactsError(
        `The facts in ${folder} were written with other settings for what is indexed; the chain then had ${describeLedgerChange(stored.ledger, ledger)}: ${remedy}`,
      )
    }
    if (!stored) {
      const identity = { version: formatVersion, chainId, genesisHash, ledger }
      await writeDurably(file, `${JSON.stringify(identity, undefined, 2)}\n`)
    }
    return new ChainFacts(folder, ledger.startBlock, await loadChunks(folder))
  }

  /**
   * Opens facts that exist, with whatever settings they were written.
   *
   * @returns undefined when there are none.
   */
  static async openExisting(root: string, chainId: number): Promise<ChainFacts | undefined> {
    const folder = join(root, String(chainId))
    const stored = await readJson<FactsIdentity>(join(folder, 'facts.json'))
    return stored && new ChainFacts(folder, stored.ledger.startBlock, await loadChunks(folder))
  }

  /** All chunks, by their first block. */
  get all(): readonly Chunk[] {
    return this.#chunks
  }

  /** The chunks from the first block on without a gap. */
  get chunks(): readonly Chunk[] {
    const { from } = this.missing
    return this.#chunks.filter((chunk) => chunk.to < from)
  }

  /** The first blocks that are missing. Chunks after a gap that do not continue it are missing as well. */
  get missing(): MissingRange {
    let next: MissingRange = { from: this.#startBlock, parentHash: undefined }
    for (const { from, to, hash, parentHash } of this.#chunks) {
      const isContinued = next.parentHash === undefined || next.parentHash === parentHash
      if (from !== next.from || !isContinued) {
        return { ...next, ...(from > next.from && { to: from - 1, hash: parentHash }) }
      }
      next = { from: to + 1, parentHash: hash }
    }
    return next
  }

  /**
   * The last block of the latest complete chunk up to a final block, or of the blocks that are missing between chunks. Below
   * the first missing block if there is none.
   */
  getLastBlock(finalBlock: number, blocksPerChunk: number): number {
    const { from, to } = this.missing
    return to ?? from - 1 + Math.floor((finalBlock + 1 - from) / blocksPerChunk) * blocksPerChunk
  }

  /** Reads the chunks again, which another instance may have changed. */
  async reload(): Promise<void> {
    this.#chunks = await loadChunks(this.folder)
  }

  /** The files of a kind in some chunks, without those of an earlier version that lack it. */
  files(kind: FactKind, chunks = this.chunks): string[] {
    return chunks.filter(({ files }) => files[kind]).map((chunk) => this.#getFile(kind, chunk))
  }

  /**
   * Compares the files of chunks with their hashes, and removes the chunks with others, so that they are fetched again.
   *
   * @returns the removed chunks.
   */
  async removeCorrupted(signal?: AbortSignal, chunks = this.chunks): Promise<Chunk[]> {
    const corrupted: Chunk[] = []
    for (const chunk of chunks) {
      signal?.throwIfAborted()
      if (!(await this.isIntact(chunk))) {
        await this.remove(chunk)
        corrupted.push(chunk)
      }
    }
    return corrupted
  }

  /** Whether a chunk has files of some kinds, by default those that it lists, with their hashes. */
  async isIntact(chunk: Chunk, kinds?: readonly FactKind[]): Promise<boolean> {
    for (const kind of kinds ?? factKinds.filter((each) => chunk.files[each])) {
      const expected = chunk.files[kind]
      const found =
        expected && (await describeFile(this.#getFile(kind, chunk)).catch(() => undefined))
      if (!found || found.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
        return false
      }
    }
    return true
  }

  /** Removes a chunk, so that its blocks are missing. */
  async remove(chunk: Chunk): Promise<void> {
    await rm(join(this.folder, 'manifest', `${getName(chunk)}.json`), { force: true })
    this.#chunks = this.#chunks.filter((other) => other !== chunk)
    for (const kind of factKinds) {
      await rm(this.#getFile(kind, chunk), { force: true })
    }
  }

  /**
   * Converts the text of facts to the files of a chunk, and adds it.
   *
   * @param texts - the file of each kind.
   */
  async add(
    duckDb: DuckDb,
    chunk: Omit<Chunk, 'files'>,
    texts: Readonly<Record<FactKind, { readonly file: string; readonly rows: number }>>,
    signal?: AbortSignal,
  ): Promise<Chunk> {
    const files = {} as Record<FactKind, ChunkFile>
    for (const kind of factKinds) {
      const target = this.#getFile(kind, chunk)
      const partial = `${target}.partial`
      await mkdir(join(this.folder, kind), { recursive: true })
      const source = selectFromText(kind, texts[kind].file)
      await duckDb.run(
        `copy (${source}) to ${quote(partial)} (format parquet, compression zstd)`,
        signal,
      )
      files[kind] = { rows: texts[kind].rows, ...(await describeFile(partial)) }
      await rename(partial, target)
    }
    const added = { ...chunk, files }
    const manifest = join(this.folder, 'manifest', `${getName(chunk)}.json`)
    await writeDurably(manifest, `${JSON.stringify(added, undefined, 2)}\n`)
    this.#chunks = [...this.#chunks, added].sort((a, b) => a.from - b.from)
    return added
  }

  #getFile(kind: FactKind, chunk: Pick<Chunk, 'from' | 'to'>): string {
    return join(this.folder, kind, `${getName(chunk)}.parquet`)
  }
}

/** Of equal length, so that names are in the order of blocks. */
function getName({ from, to }: Pick<Chunk, 'from' | 'to'>): string {
  return [from, to].map((block) => String(block).padStart(12, '0')).join('-')
}

async function loadChunks(folder: string): Promise<Chunk[]> {
  const names = await readdir(join(folder, 'manifest'))
  const chunks: Chunk[] = []
  for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
    // One that cannot be read counts as missing.
    const chunk = await readJson<Chunk>(join(folder, 'manifest', name))
    if (chunk && getName(chunk) === name.slice(0, -'.json'.length)) {
      chunks.push(chunk)
    }
  }
  return chunks
}

async function describeFile(file: string): Promise<Omit<ChunkFile, 'rows'>> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}

/** @returns undefined when the file does not exist or is not JSON. */
async function readJson<Value>(file: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Value
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined
    }
    throw error
  }
}
