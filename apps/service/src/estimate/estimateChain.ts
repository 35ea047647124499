import { factKinds } from '../facts/factTables.ts'
import type { Average, ChainSample } from './sampleChain.ts'

/**
 * What rows and files take, in bytes, and how fast they are written. These figures were measured with synthetic chains on a
 * machine of two cores, as `docs/site/service/capacity.md` describes.
 */
export const capacityModel = {
  /** A row of `balances` with its indexes. */
  pairBytes: 155,
  /** A balance in an NFT with its index, and the NFT without its document. */
  collectibleBytes: 255 + 174,
  blockBytes: 175,
  /** The state of a pool, of which one per pool and five minutes remains. */
  poolStateBytes: 200,
  /** A fact of each kind, compressed. */
  factBytes: {
    blocks: 35,
    transfers: 65,
    deposits: 20,
    sales: 16,
    pools: 43,
    pool_events: 30,
    pool_logs: 45,
    skipped_events: 5,
  },
  /** Transfers per second that were folded and loaded, and the cores of that machine. */
  measuredFold: { transfersPerSecond: 383_000, cores: 2 },
  /** Cores that folding and loading keep busy: an assumption. */
  maxFoldCores: 8,
  /** Pairs per transfer where they cannot be measured. */
  pairsPerTransfer: 0.3,
} as const

/** An amount of rows, with the standard error of its sample. */
export interface Count {
  readonly value: number
  readonly error: number
}

/** The time until a chain is indexed, in seconds. */
interface Duration {
  readonly source: 'configured' | 'files'
  readonly cores: number
  readonly fetch: number
  /** At least, with more cores than were measured. */
  readonly fold: number
}

/** What indexing a chain takes. */
export interface Estimate {
  readonly chainId: number
  readonly measured: ChainSample
  readonly modelled: {
    readonly blocks: number
    readonly transfers: Count
    readonly pairs: Count
    /** At most, as each transfer may be to a new holder. */
    readonly collectibles: Count
    readonly poolStates: Count
    readonly bytes: {
      readonly balances: number
      readonly collectibles: number
      readonly blocks: number
      readonly poolStates: number
      readonly total: number
      readonly facts: number
    }
    readonly times: readonly Duration[]
  }
  /** What the modelled figures assume, a sentence each. */
  readonly assumptions: readonly string[]
}

const coreCounts = [2, 8, 32]

/** Extrapolates a sample to the whole chain. */
export function estimateChain(chainId: number, sample: ChainSample): Estimate {
  const blocks = sample.lastBlock - sample.firstBlock + 1
  const scale = ({ mean, error }: Average): Count => ({
    value: Math.round(blocks * mean),
    error: Math.round(blocks * error),
  })
  const transfers = scale(sample.transfers)
  const collectibles = scale(sample.collectibles)
  const poolStates = scale(sample.poolStates)
  const { measuredFold, maxFoldCores } = capacityModel
  const ratio = sample.pairsPerTransfer?.value ?? capacityModel.pairsPerTransfer
  const received = scale(sample.received)
  const facts = factKinds.reduce(
    (sum, kind) => sum + scale(sample.facts[kind]).value * capacityModel.factBytes[kind],
    0,
  )
  const pairs = {
    value: Math.round(ratio * received.value),
    error: Math.round(ratio * received.error),
  }
  const parts = {
    balances: pairs.value * capacityModel.pairBytes,
    collectibles: collectibles.value * capacityModel.collectibleBytes,
    blocks: blocks * capacityModel.blockBytes,
    poolStates: poolStates.value * capacityModel.poolStateBytes,
  }
  const total = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
  return {
    chainId,
    measured: sample,
    modelled: {
      blocks,
      transfers,
      pairs,
      collectibles,
      poolStates,
      bytes: { ...parts, total, facts },
      times: coreCounts.flatMap((cores) =>
        getDurations(sample, {
          blocks,
          cores,
          received: transfers.value + collectibles.value,
        }),
      ),
    },
    assumptions: [
      'blocks that were not sampled are like the sampled ones of their part of the history',
      sample.pairsPerTransfer
        ? `pairs per transfer are those of ${sample.pairsPerTransfer.transfers} sampled transfers`
        : `${capacityModel.pairsPerTransfer} pairs per transfer, since the nodes do not search logs in few enough requests`,
      'each NFT transfer adds a row: fewer where NFTs return to earlier holders',
      'all pool states of the sample count: fewer remain after downsampling, and none of pools of other factories',
      `nodes and source keep the measured rate of ${sample.blocksPerSecond.toFixed(1)} blocks per second`,
      'bytes per row and fact are those of synthetic chains; tokens, pools, sales and documents of NFTs are not counted in the database',
      `${measuredFold.transfersPerSecond} transfers per second are folded and loaded by ${measuredFold.cores} cores, as measured with 20 million synthetic transfers, also of a longer history`,
      `folding and loading are faster in proportion to the cores, up to ${maxFoldCores}: only ${measuredFold.cores} were measured`,
      'files are read as fast as one core decodes them',
    ],
  }
}

function getDurations(
  sample: ChainSample,
  { blocks, received, cores }: { blocks: number; received: number; cores: number },
): Duration[] {
  const { measuredFold, maxFoldCores } = capacityModel
  const rate =
    (measuredFold.transfersPerSecond * Math.min(cores, maxFoldCores)) / measuredFold.cores
  const fold = Math.ceil(received / rate)
  const decoding = (blocks * sample.logs.mean) / Math.max(1, sample.decodedPerSecond)
  const requested = Math.max(blocks / sample.blocksPerSecond, blocks * sample.cpuPerBlock)
  return [
    { source: 'configured', cores, fetch: Math.ceil(requested), fold },
    { source: 'files', cores, fetch: Math.ceil(decoding), fold },
  ]
}
