import type { FetchedBlocks } from '../indexing/fetch/fetchBlocks.ts'
import type { TopicFilter } from '../rpc/verify/TopicFilter.ts'

/** Blocks, both ends included. */
export interface SourceRange {
  readonly from: number
  readonly to: number
}

/** What contains final blocks with their logs, besides the nodes. */
export interface BlockSource {
  /** Identifies it in messages, without secrets. */
  readonly name: string
  /**
   * Fetches consecutive blocks and their matching logs, in the chain's order, with hex in lower case.
   *
   * @returns the first blocks of the range, as far as it has them.
   * @throws {NodeError} when it fails; with `mayExceedLimit` where a smaller range may succeed.
   */
  fetch(range: SourceRange, filter: TopicFilter, signal: AbortSignal): Promise<FetchedBlocks>

  /** Releases what it holds until the next request. */
  close?(): Promise<void>
}
