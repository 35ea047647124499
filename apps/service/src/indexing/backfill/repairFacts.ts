import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../../config/Config.ts'
import type { ChainFacts, Chunk } from '../../facts/ChainFacts.ts'
import type { DuckDb } from '../../facts/DuckDb.ts'
import { FactsWriter } from '../../facts/FactsWriter.ts'
import type { FactKind } from '../../facts/factTables.ts'
import type { ChainNode } from '../../rpc/ChainNode.ts'
import type { Database } from '../../store/Database.ts'
import { loadBlock } from '../follow/Cursor.ts'

export interface RepairOptions {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly logger: Logger
  /** Hashes of the last blocks of chunks whose files were verified: added here, so that a retry does not read all again. */
  readonly verified: Set<string>
}

/**
 * Finds the chunks up to a block whose last blocks are those of the store. Chunks before the last one that are missing,
 * corrupted, or lack a kind because an earlier version wrote them, are fetched again, and the others are kept.
 *
 * @throws {NodeError} when the nodes do not return the blocks.
 */
export async function repairFacts(
  options: RepairOptions,
  stored: { readonly facts: ChainFacts; readonly duckDb: DuckDb },
  { to, kinds }: { readonly to: number; readonly kinds: readonly FactKind[] },
  signal: AbortSignal,
): Promise<Chunk[]> {
  const { chain, db, node, logger, verified } = options
  const { facts, duckDb } = stored
  const writer = new FactsWriter({ chain, node, facts, duckDb, logger })
  const chunks: Chunk[] = []
  for (let after = chain.startBlock - 1; ;) {
    signal.throwIfAborted()
    const { missing } = facts
    if (missing.to !== undefined && missing.from <= to) {
      logger.info({ from: missing.from, to: missing.to }, 'fetching facts that are missing')
      await writer.writeTo(missing.to, signal)
    }
    const chunk = facts.chunks.find(({ from }) => from === after + 1)
    const block = chunk && chunk.to <= to ? await loadBlock(db, chain.id, chunk.to) : undefined
    if (!chunk || block?.hash !== chunk.hash) {
      return chunks
    }
    if (verified.has(chunk.hash) || (await facts.isIntact(chunk, kinds, signal))) {
      verified.add(chunk.hash)
      chunks.push(chunk)
      after = chunk.to
    } else {
      const lacking = kinds.filter((kind) => !chunk.files[kind])
      logger.warn(
        { from: chunk.from, to: chunk.to, last: Math.min(to, facts.chunks.at(-1)?.to ?? to) },
        lacking.length > 0
          ? `facts of an earlier version lack ${lacking.join(', ')}; fetching these blocks again, as all up to the last that lack them`
          : 'facts are corrupted; fetching these blocks again',
      )
      await facts.remove(chunk)
    }
  }
}
