import { appendFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { createScope } from '../indexing/decode/Scope.ts'
import { BlockFetcher } from '../indexing/fetch/BlockFetcher.ts'
import { createFilter, type FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import { type IndexingStage, Progress } from '../indexing/follow/Progress.ts'
import { createOutvoted } from '../indexing/follow/verifyChain.ts'
import { Semaphore } from '../queues/Semaphore.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { createLoggedSource } from '../sources/createSource.ts'
import type { ChainFacts, MissingRange } from './ChainFacts.ts'
import type { DuckDb } from './DuckDb.ts'
import { type FactKind, factKinds } from './factTables.ts'
import { FactText } from './FactText.ts'

interface FactsWriterOptions {
  readonly chain: ChainConfig
  readonly node: ChainNode
  readonly facts: ChainFacts
  readonly duckDb: DuckDb
  readonly logger: Logger
  /** Called periodically; logs the stage by default. */
  readonly onStage?: (stage: IndexingStage) => void
}

/**
 * The writers of each folder take turns, so that blocks are not fetched twice: those of new blocks, and of a backfill that
 * finds a corrupted chunk. Those of other processes do not, and use other work folders.
 */
const writers = new Map<string, Semaphore>()

/** A chunk whose blocks are being fetched. */
interface OpenChunk {
  readonly from: number
  readonly to: number
  readonly parentHash: string
  readonly folder: string
  readonly text: FactText
}

/**
 * Fetches final blocks from the nodes and writes their facts. After an interruption, it continues with the first missing chunk.
 */
export class FactsWriter {
  readonly #options: FactsWriterOptions
  readonly #progress: Progress
  readonly #fetcher: BlockFetcher

  constructor(options: FactsWriterOptions) {
    const { chain, node, logger, onStage = ({ text }) => logger.info(text) } = options
    this.#options = options
    const source = createLoggedSource(chain, node, logger)
    this.#fetcher = new BlockFetcher(node, createFilter(chain), source)
    this.#progress = new Progress((text) => {
      onStage({
        text: `writing facts: ${text}`,
        secondsLeft: this.#progress.report?.secondsLeft,
      })
    })
  }

  /**
   * Writes the missing chunks up to a final block.
   *
   * @throws {NodeError} when the nodes do not return the blocks, or when these do not extend the ones before.
   */
  async writeTo(finalBlock: number, signal: AbortSignal): Promise<void> {
    const { location } = this.#options.facts
    const writing = writers.get(location) ?? new Semaphore(1)
    writers.set(location, writing)
    await writing.run(() => this.#writeTo(finalBlock, signal), signal)
  }

  async #writeTo(finalBlock: number, signal: AbortSignal): Promise<void> {
    const { facts, logger } = this.#options
    await facts.reload()
    await this.removeReplaced(signal)
    for (;;) {
      const { missing } = facts
      const last = facts.getLastBlock(finalBlock)
      if (last < missing.from) {
        return
      }
      if (missing.to === undefined) {
        // Chunks of replaced blocks: the first of them does not extend the block before.
        for (const chunk of facts.all.filter(({ from }) => from >= missing.from)) {
          const { from, to } = chunk
          logger.warn({ from, to }, 'removing facts of blocks that do not extend those before')
          await facts.remove(chunk)
        }
      }
      await this.#writeRange(missing, last, signal)
    }
  }

  /** Removes the latest chunks as long as no node has their last block: an operator may have rewound the chain. */
  async removeReplaced(signal: AbortSignal): Promise<void> {
    const { facts, node, logger } = this.#options
    for (;;) {
      const last = facts.all.at(-1)
      const header = last && (await node.getHeader(last.to, signal))
      if (!header || header.hash === last?.hash) {
        return
      }
      if (await node.someNodeHas({ number: last.to, hash: last.hash }, signal)) {
        throw createOutvoted(`has another block ${last.to} than the facts`)
      }
      logger.warn({ from: last.from, to: last.to }, 'removing facts of blocks that were replaced')
      await facts.remove(last)
    }
  }

  async #writeRange(missing: MissingRange, last: number, signal: AbortSignal): Promise<void> {
    const { facts } = this.#options
    const controller = new AbortController()
    const anySignal = AbortSignal.any([signal, controller.signal])
    this.#progress.start(missing.from - 1)
    const parent = { number: missing.from - 1, hash: missing.parentHash }
    const range = { last, finalizedBlock: last, maxBlocks: facts.blocksPerChunk }
    let chunk: OpenChunk | undefined
    /** The chunk before is converted while the next one is fetched. */
    let converting = Promise.resolve()
    try {
      for await (const fetched of this.#fetcher.fetch(parent, range, anySignal)) {
        let rest: FetchedBlocks = fetched
        for (let [first] = rest.blocks; first; [first] = rest.blocks) {
          chunk ??= await this.#open(first, last)
          const { part, after } = divide(rest, chunk.to)
          rest = after
          await this.#append(chunk, part)
          const end = part.blocks.at(-1)
          if (end?.number === chunk.to) {
            await converting
            converting = this.#convert(chunk, end, last, anySignal)
            converting.catch(() => {})
            chunk = undefined
          }
        }
      }
      await converting
      signal.throwIfAborted()
    } finally {
      controller.abort()
      await Promise.allSettled([converting])
      await rm(join(facts.workFolder, 'partial'), { recursive: true, force: true })
    }
  }

  async #open(
    { number: from, parentHash }: { readonly number: number; readonly parentHash: string },
    last: number,
  ): Promise<OpenChunk> {
    const { facts, chain } = this.#options
    const folder = join(facts.workFolder, 'partial', String(from))
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const to = Math.min(last, from + facts.blocksPerChunk - 1)
    for (const kind of factKinds) {
      await appendFile(join(folder, kind), '')
    }
    return { from, to, parentHash, folder, text: new FactText(createScope(chain)) }
  }

  async #append({ folder, text }: OpenChunk, fetched: FetchedBlocks): Promise<void> {
    text.add(fetched)
    const lines = text.take()
    for (const kind of factKinds) {
      if (lines[kind] !== '') {
        await appendFile(join(folder, kind), lines[kind])
      }
    }
  }

  async #convert(
    { from, to, parentHash, folder, text }: OpenChunk,
    { hash, time }: { readonly hash: string; readonly time: number },
    last: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { facts, duckDb } = this.#options
    const texts = Object.fromEntries(
      factKinds.map((kind) => [kind, { file: join(folder, kind), rows: text.counts[kind] }]),
    ) as Record<FactKind, { file: string; rows: number }>
    await facts.add(duckDb, { from, to, parentHash, hash, time }, texts, signal)
    await rm(folder, { recursive: true, force: true })
    this.#progress.advance(to, last, text.counts.transfers + text.counts.pool_events)
    this.#progress.log()
  }
}

/** Divides consecutive blocks into those up to a block, and those after it. */
function divide(
  { blocks, logs }: FetchedBlocks,
  last: number,
): { readonly part: FetchedBlocks; readonly after: FetchedBlocks } {
  const part = {
    blocks: blocks.filter(({ number }) => number <= last),
    logs: logs.filter(({ blockNumber }) => blockNumber <= last),
  }
  const after = {
    blocks: blocks.slice(part.blocks.length),
    logs: logs.slice(part.logs.length),
  }
  return { part, after }
}
