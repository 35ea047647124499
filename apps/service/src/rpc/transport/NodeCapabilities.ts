import { msPerHour, msPerMinute } from '../../time.ts'
import { LogRange } from './LogRange.ts'
import {
  CallSize,
  createLogLimits,
  type NodeLimits,
  PastState,
  UnsupportedMethods,
} from './NodeLimits.ts'

/** Requests per batch; hosted nodes commonly reject more. */
const maxBatchSize = 100

/** What a node accepts and has, as far as its responses show. */
export class NodeCapabilities {
  readonly unsupportedMethods = new UnsupportedMethods()
  /** Whether `eth_getBlockReceipts` accepts a block hash; undefined until known. */
  acceptsReceiptsByHash: boolean | undefined
  /** Whether `eth_getLogs` accepts a block hash; undefined until known. */
  acceptsLogsByHash: boolean | undefined
  readonly logLimits = createLogLimits()
  /** How many blocks one `eth_getLogs` with topics may have. */
  readonly logRange = new LogRange(this.logLimits)
  /** How many blocks one `eth_getLogs` with a contract may have, as logs of a contract may be denser. */
  readonly contractLogRange = new LogRange(this.logLimits)
  /** The highest block that the node is known to have had. */
  knownBlock = -1
  readonly pastState = new PastState()
  /** Of calls that read native balances, each of which takes the same gas and bytes. */
  readonly balancesPerCall = new CallSize(msPerHour)
  /** Of calls that execute others. Contracts choose how much gas these take, so that a limit is soon tried again. */
  readonly callsPerAggregate = new CallSize(msPerMinute)
  /** The most requests of a batch. */
  batchSize = maxBatchSize

  /** The limits that are known, without that of the rate. */
  get limits(): NodeLimits {
    const { blocks, results, requiresAddress } = this.logLimits
    const { depth, missingDepth } = this.pastState
    const unsupportedMethods = this.unsupportedMethods.list()
    return {
      ...(blocks < Infinity && { logBlocks: blocks }),
      ...(results < Infinity && { logResults: results }),
      ...(requiresAddress && { logsRequireAddress: true }),
      ...(this.batchSize < maxBatchSize && { batchSize: this.batchSize }),
      ...(depth >= 0 && { stateDepth: depth }),
      ...(missingDepth < Infinity && { missingStateDepth: missingDepth }),
      ...(unsupportedMethods.length > 0 && { unsupportedMethods }),
    }
  }

  /** Starts with limits that were found before. */
  restore(limits: NodeLimits): void {
    this.logLimits.blocks = limits.logBlocks ?? this.logLimits.blocks
    this.logLimits.results = limits.logResults ?? this.logLimits.results
    this.logLimits.requiresAddress ||= limits.logsRequireAddress ?? false
    this.batchSize = Math.min(this.batchSize, limits.batchSize ?? maxBatchSize)
    if (limits.stateDepth !== undefined) {
      this.pastState.recordFound(limits.stateDepth)
    }
    if (limits.missingStateDepth !== undefined) {
      this.pastState.recordMissing(limits.missingStateDepth)
    }
    for (const method of limits.unsupportedMethods ?? []) {
      this.unsupportedMethods.add(method)
    }
  }
}
