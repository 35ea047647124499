import type { BlockHeader } from '../methods/BlockHeader.ts'
import type { PackedLogs } from './packLogs.ts'

/** The response to a batch of `eth_getBlockReceipts`, and what it is parsed and verified by. */
export interface ReceiptsRequest {
  /** JSON. */
  readonly body: Uint8Array<ArrayBuffer>
  /** The id of the first request of the batch. */
  readonly firstId: number
  /** Of each request of the batch. */
  readonly blocks: readonly BlockHeader[]
  /** The first topics of the logs that are returned. */
  readonly topics: readonly string[]
  /** Whether to recompute the receipts root of each block. */
  readonly verifiesRoots: boolean
}

/** The logs where all receipts are valid; otherwise the body, for the thread that requested it to find out what is wrong. */
export type ReceiptsResponse =
  { readonly logs: PackedLogs } | { readonly body: Uint8Array<ArrayBuffer> }
