import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig, FactsConfig } from '../../config/Config.ts'
import { ChainFacts, type Chunk } from '../../facts/ChainFacts.ts'
import { DuckDb } from '../../facts/DuckDb.ts'
import { FactsWriter } from '../../facts/FactsWriter.ts'
import { isRead } from '../../pricing/venues/venues.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { Database } from '../../store/Database.ts'
import { loadVersions } from '../../store/loadedTables.ts'
import { excludeFactories, type StoredScope } from '../decode/StoredScope.ts'
import { getDownsampling } from '../fold/Downsampling.ts'
import type { Cursor } from '../follow/Cursor.ts'
import type { IndexingStage } from '../follow/Progress.ts'
import { BulkLoad, createFactSource, describeVersion } from './BulkLoad.ts'
import { foldedKinds } from './foldQueries.ts'
import { reportIntervalMs } from './StageProgress.ts'

interface BulkBackfillOptions {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly logger: Logger
  readonly facts: FactsConfig
  /** Called periodically, and with undefined at the end. */
  readonly onStage: (stage: IndexingStage | undefined) => void
}

/**
 * The initial sync of a chain up to its latest complete chunk of final blocks: facts of all blocks are written, and the rows
 * are derived from them. Each part continues where it was interrupted. The scope of the rows lacks the pools whose state is
 * read by calls; `Backfill` adds them.
 */
export class BulkBackfill {
  readonly #options: BulkBackfillOptions

  constructor(options: BulkBackfillOptions) {
    this.#options = options
  }

  /**
   * @param cursor - of a chain without rows.
   * @param head - its highest final block, and the time of its latest one.
   * @returns whether rows were loaded: not where final blocks do not fill a chunk.
   * @throws {FactsError} when an operator has to act.
   * @throws {NodeError} when the nodes do not return the blocks.
   */
  async run(
    { genesisHash, scope: configured }: Cursor,
    head: { readonly finalBlock: number; readonly time: number },
    signal: AbortSignal,
  ): Promise<boolean> {
    const { chain, db, node, logger, facts: config, onStage } = this.#options
    const { ledger } = configured
    const scope = excludeFactories(configured, isRead)
    const facts = await ChainFacts.open(config, { chainId: chain.id, genesisHash, ledger })
    const { memoryLimit } = config
    let duckDb: DuckDb | undefined
    try {
      duckDb = await DuckDb.open({ folder: join(facts.workFolder, 'spill'), memoryLimit })
      const writer = new FactsWriter({ chain, node, facts, duckDb, logger, onStage })
      await writer.removeReplaced(signal)
      let chunks = await this.#findStarted(facts, scope)
      if (chunks.length === 0) {
        await writer.writeTo(head.finalBlock, signal)
        chunks = facts.chunks
      }
      while (await this.#removeCorrupted(facts, chunks, signal)) {
        await writer.writeTo(Math.max(head.finalBlock, chunks.at(-1)?.to ?? -1), signal)
        chunks = facts.chunks
      }
      if (chunks.length === 0) {
        return false
      }
      const files = await facts.load(foldedKinds, chunks, signal)
      const load = new BulkLoad({
        chainId: chain.id,
        db,
        duckDb,
        scope,
        onStage,
        source: createFactSource(files, chunks, scope),
        downsampling: getDownsampling(chain, head.time),
      })
      await load.run(signal)
      return true
    } finally {
      onStage(undefined)
      duckDb?.close()
      await facts.close()
    }
  }

  /** The chunks of a load that was interrupted: facts that were written later do not start it anew. */
  async #findStarted(facts: ChainFacts, scope: StoredScope): Promise<readonly Chunk[]> {
    const { chain, db } = this.#options
    const { chunks } = facts
    const versions = new Set((await loadVersions(db, chain.id)).values())
    const last = chunks.findLastIndex((_, index) =>
      versions.has(describeVersion(chunks.slice(0, index + 1), scope)),
    )
    return chunks.slice(0, last + 1)
  }

  /**
   * @returns whether files of chunks did not have their hashes.
   * @throws {FactsError} when local copies need more space than is configured.
   */
  async #removeCorrupted(
    facts: ChainFacts,
    chunks: readonly Chunk[],
    signal: AbortSignal,
  ): Promise<boolean> {
    // First, as comparing the files downloads them.
    facts.requireSpace(foldedKinds, chunks)
    const startedAt = performance.now()
    let reportedAt = -Infinity
    const onChunk = (index: number) => {
      const now = performance.now()
      if (now - reportedAt < reportIntervalMs) {
        return
      }
      reportedAt = now
      const secondsEach = (now - startedAt) / 1000 / index
      const secondsLeft = index === 0 ? undefined : Math.ceil(secondsEach * (chunks.length - index))
      const share = `chunk ${index + 1} of ${chunks.length}`
      this.#options.onStage({ text: `verifying facts: ${share}`, secondsLeft })
    }
    const removed = await facts.removeCorrupted(chunks, { kinds: foldedKinds, onChunk, signal })
    for (const { from, to } of removed) {
      this.#options.logger.warn({ from, to }, 'facts are corrupted; fetching their blocks again')
    }
    return removed.length > 0
  }
}
