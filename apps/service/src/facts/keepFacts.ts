import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig, FactsConfig } from '../config/Config.ts'
import { type Cursor, loadCursor } from '../indexing/follow/Cursor.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import type { Database } from '../store/Database.ts'
import { msPerMinute } from '../time.ts'
import { ChainFacts } from './ChainFacts.ts'
import { DuckDb } from './DuckDb.ts'
import { FactsError } from './FactsError.ts'
import { FactsWriter } from './FactsWriter.ts'

const intervalMs = msPerMinute
/** The delay after a failure that an operator has to repair, such as of permissions in S3, or of a full cache. */
const defaultRepairMs = 10 * msPerMinute

interface KeepFactsOptions {
  readonly chain: ChainConfig
  readonly db: Kysely<Database>
  readonly node: ChainNode
  readonly facts: FactsConfig
  readonly logger: Logger
  /** Called with the error of each attempt that fails, and with undefined when one succeeds. */
  readonly onFailure?: (error: unknown) => void
  /** Default: 10 minutes. */
  readonly repairMs?: number
}

/**
 * Writes the facts of an indexed chain as its blocks become final, a chunk at a time, until the signal aborts. Failures are
 * retried, rarely where an operator has to act. The initial indexing writes those before.
 */
export async function keepFacts(options: KeepFactsOptions, signal: AbortSignal): Promise<void> {
  const { chain, db, logger, onFailure, repairMs = defaultRepairMs } = options
  const backoff = new Backoff()
  let facts: ChainFacts | undefined
  while (!signal.aborted) {
    try {
      const cursor = await loadCursor(db, chain.id)
      if (cursor?.block) {
        facts ??= await openFacts(options, cursor)
        await writeFinal(options, facts, cursor.finalizedBlock, signal)
      }
      backoff.succeeded()
      onFailure?.(undefined)
      await delay(intervalMs, undefined, { signal })
    } catch (error) {
      // What it could not delete is deleted when the folder is opened again.
      await facts?.close().catch(() => {})
      facts = undefined
      if (signal.aborted) {
        return
      }
      onFailure?.(error)
      if (error instanceof FactsError) {
        logger.error({ err: error }, 'no facts are written until this is repaired')
        await delay(repairMs, undefined, { signal }).catch(() => {})
      } else {
        const log = () => logger.warn({ err: error }, 'failed to write facts, retrying')
        await backoff.failed(error, log, signal)
      }
    }
  }
}

function openFacts(
  { chain, facts }: KeepFactsOptions,
  { genesisHash, scope: { ledger } }: Cursor,
): Promise<ChainFacts> {
  return ChainFacts.open(facts, { chainId: chain.id, genesisHash, ledger })
}

async function writeFinal(
  { chain, node, facts: { memoryLimit }, logger }: KeepFactsOptions,
  facts: ChainFacts,
  finalBlock: number,
  signal: AbortSignal,
): Promise<void> {
  if (facts.getLastBlock(finalBlock) < facts.missing.from) {
    return
  }
  const duckDb = await DuckDb.open({ folder: join(facts.workFolder, 'spill'), memoryLimit })
  try {
    await new FactsWriter({ chain, node, facts, duckDb, logger }).writeTo(finalBlock, signal)
  } finally {
    duckDb.close()
  }
}
