import { CommandError } from '../commands/CommandError.ts'
import type { ChainConfig } from '../config/Config.ts'
import { type FactKind, factKinds } from '../facts/factTables.ts'
import { FactText } from '../facts/FactText.ts'
import { decodeLog } from '../indexing/decode/decodeLog.ts'
import { createScope, type Scope } from '../indexing/decode/Scope.ts'
import { BlockFetcher } from '../indexing/fetch/BlockFetcher.ts'
import { createFilter, fetchBlocks, type FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import { selectRandomBlocks } from '../indexing/fetch/selectRandomBlocks.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { createSource } from '../sources/createSource.ts'
import { countPairs, type Incoming, toPair } from './countPairs.ts'

const concurrency = 8
/** Bursts of consecutive blocks are fetched as by indexing, to measure its rate. */
const burstBlocks = 100
const bursts = 3

/** An average per block, and the standard error of it. */
export interface Average {
  readonly mean: number
  readonly error: number
}

/** What was measured of a chain and its nodes. */
export interface ChainSample {
  readonly firstBlock: number
  readonly lastBlock: number
  readonly sampledBlocks: number
  /** Per block: logs with topics that are indexed, ERC20 transfers, NFTs that were transferred, pools whose state changed. */
  readonly logs: Average
  readonly transfers: Average
  readonly collectibles: Average
  readonly poolStates: Average
  /** Rows of each kind of facts per block, which include those of pools and marketplaces that are not configured. */
  readonly facts: Readonly<Record<FactKind, Average>>
  /** Transfers of ERC20 and ERC721 to a holder. */
  readonly received: Average
  /** Distinct pairs of holder and token per transfer; undefined where the nodes do not search logs in few enough requests. */
  readonly pairsPerTransfer: { readonly value: number; readonly transfers: number } | undefined
  /** Blocks per second that were fetched as indexing does, by the configured source. */
  readonly blocksPerSecond: number
  /** CPU time per block of that, in seconds. */
  readonly cpuPerBlock: number
  /** Logs per second that one core decodes to facts. */
  readonly decodedPerSecond: number
}

interface SampleOptions {
  readonly chain: ChainConfig
  readonly node: ChainNode
  /** How many blocks are sampled. */
  readonly count: number
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
  /** Default: `Math.random`. */
  readonly random?: () => number
}

interface BlockCounts {
  readonly logs: number
  readonly transfers: number
  readonly collectibles: number
  readonly poolStates: number
  readonly facts: Readonly<Record<FactKind, number>>
  readonly incoming: readonly Incoming[]
}

/**
 * Samples a chain: one random block of each of many equal parts of its history, and some ranges at the speed of indexing.
 *
 * @throws {CommandError} when the nodes have not reached its first block.
 * @throws {NodeError} when they do not return the blocks.
 */
export async function sampleChain(options: SampleOptions): Promise<ChainSample> {
  const { chain, node, count, signal, onProgress, random = Math.random } = options
  const head = await node.getHead(signal)
  const firstBlock = chain.startBlock
  const lastBlock = head.number
  if (lastBlock < firstBlock) {
    throw new CommandError(
      `Chain ${chain.id} begins at block ${firstBlock}, and its nodes are at block ${lastBlock}: correct startBlock`,
    )
  }
  const numbers = selectRandomBlocks({ from: firstBlock, to: lastBlock }, count, random)
  const fetched: FetchedBlocks[] = []
  const filter = createFilter(chain)
  for (let start = 0; start < numbers.length; start += concurrency) {
    onProgress(`sampling blocks: ${start} of ${numbers.length}`)
    const part = numbers.slice(start, start + concurrency).map((number) => {
      const range = { from: number, to: number, parentHash: undefined, isFinalized: true }
      return fetchBlocks(node, range, signal, filter)
    })
    fetched.push(...(await Promise.all(part)))
  }
  const scope = createScope(chain)
  const counts = fetched.map((block) => countBlock(block, scope))
  const average = (key: Exclude<keyof BlockCounts, 'incoming' | 'facts'>) =>
    toAverage(counts.map((block) => block[key]))
  const incoming = counts.flatMap((block) => block.incoming)
  return {
    firstBlock,
    lastBlock,
    sampledBlocks: numbers.length,
    logs: average('logs'),
    transfers: average('transfers'),
    collectibles: average('collectibles'),
    poolStates: average('poolStates'),
    facts: Object.fromEntries(
      factKinds.map((kind) => [kind, toAverage(counts.map(({ facts }) => facts[kind]))]),
    ) as Record<FactKind, Average>,
    received: toAverage(counts.map((block) => block.incoming.length)),
    pairsPerTransfer: await countPairs(
      { node, scope, from: firstBlock, to: lastBlock, signal, onProgress, random },
      incoming,
    ),
    ...(await measureBursts(options, lastBlock)),
    decodedPerSecond: measureDecoding(scope, fetched),
  }
}

function countBlock(block: FetchedBlocks, scope: Scope): BlockCounts {
  const { logs } = block
  let transfers = 0
  let collectibles = 0
  const pools = new Set<string>()
  const incoming: Incoming[] = []
  for (const [index, log] of logs.entries()) {
    const event = decodeLog(log, scope, logs[index - 1])
    const pair = toPair(event)
    if (pair) {
      incoming.push(pair)
    }
    if (event?.kind === 'transfer' && event.amount > 0n) {
      transfers++
    } else if (event?.kind === 'collectible-transfer') {
      collectibles += event.items.length
    } else if (event?.kind === 'reserves' || event?.kind === 'price') {
      pools.add(event.pool)
    }
  }
  const text = new FactText(scope)
  text.add(block)
  const counts = { transfers, collectibles, poolStates: pools.size }
  return { logs: logs.length, ...counts, facts: text.counts, incoming }
}

function toAverage(values: readonly number[]): Average {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const variance = squares / Math.max(1, values.length - 1)
  return { mean, error: Math.sqrt(variance / Math.max(1, values.length)) }
}

/** Fetches ranges of blocks as indexing does, at several places of the history. */
async function measureBursts(
  { chain, node, signal, onProgress }: SampleOptions,
  lastBlock: number,
): Promise<Pick<ChainSample, 'blocksPerSecond' | 'cpuPerBlock'>> {
  const source = createSource(chain, node, ({ message }) =>
    onProgress(`${message}; requesting the nodes`),
  )
  const fetcher = new BlockFetcher(node, createFilter(chain), source)
  const blocks = lastBlock - chain.startBlock + 1
  const startedAt = performance.now()
  const before = process.cpuUsage()
  let fetched = 0
  for (let index = 0; index < bursts; index++) {
    onProgress(`measuring the rate of nodes: ${index} of ${bursts}`)
    const start = chain.startBlock + Math.floor(((index + 0.5) * blocks) / bursts)
    const last = Math.min(lastBlock, start + burstBlocks - 1)
    const parent = { number: start - 1, hash: undefined }
    for await (const part of fetcher.fetch(parent, { last, finalizedBlock: last }, signal)) {
      fetched += part.blocks.length
    }
  }
  const { user, system } = process.cpuUsage(before)
  return {
    blocksPerSecond: fetched / ((performance.now() - startedAt) / 1000),
    cpuPerBlock: (user + system) / 1e6 / Math.max(1, fetched),
  }
}

function measureDecoding(scope: Scope, fetched: readonly FetchedBlocks[]): number {
  const logs = fetched.reduce((sum, part) => sum + part.logs.length, 0)
  const startedAt = process.cpuUsage()
  let rounds = 0
  for (;;) {
    const text = new FactText(scope)
    fetched.forEach((part) => text.add(part))
    text.take()
    rounds++
    const { user } = process.cpuUsage(startedAt)
    if (user > 200_000 || rounds === 1_000) {
      return (rounds * logs) / Math.max(1e-6, user / 1e6)
    }
  }
}
