import type { LogRanges } from '../rpc/transport/LogRange.ts'
import { addRange, type BlockRange, type Coverage, findGap } from './Coverage.ts'
import type { Findings } from './Findings.ts'

/** What a process knows of a wallet. */
export interface Wallet {
  readonly address: string
  readonly findings: Findings
  /** What was found since the last write. */
  unwritten: Findings
  /** The coverage that this process last loaded or wrote. Empty if the next write replaces what the store has. */
  stored: Coverage
  /** Final blocks. */
  coverage: Coverage
  /** Final blocks of which no node returned all logs. This process does not search them again, and they remain unknown. */
  skipped: Coverage
  /** The search for its history; undefined while there is none. */
  search: WalletSearch | undefined
  /** What was found in the blocks up to the head. */
  readonly recent: Partial<Record<RecentKind, RecentFindings>>
  /** What was last found there, which the wallet may hold still while no node returns the latest logs. */
  readonly lastFound: Partial<Record<RecentKind, Findings>>
  /** Whether the index has replaced the nodes, so that the search ends and nothing is stored. */
  isReplaced: boolean
  /** When a request of a client was last recorded in the store, by `performance.now()`. */
  touchedAt: number
}

export interface WalletSearch {
  /** Resolves when the search pauses for the response that started it, or ends. */
  firstSteps: Promise<void>
  readonly ranges: LogRanges
  /** The API key that requested the wallet first. */
  readonly account: unknown
  requestedAt: number
}

/** What a response searches the latest blocks for: tokens only, or NFTs, too. */
export type RecentKind = 'received-tokens' | 'received'

export interface RecentFindings {
  /** The head. */
  readonly hash: string
  /** The first block that is searched. */
  readonly from: number
  /** Undefined if no node returns them. */
  readonly found: Promise<Findings | undefined>
  /** When all of these blocks were last searched, by `performance.now()`. */
  readonly searchedAt: number
  /** Whether an earlier search had the same blocks, so that a node that lagged then is of no consequence. */
  readonly isConfirmed: boolean
}

/** Wallets with more are those of exchanges and contracts: the search of older blocks ends. */
const maxTokens = 5_000
/** New final blocks are searched in the background once there are this many. Until then, each response searches them. */
const minFinalBlocks = 256

/** The newest blocks that are not covered. With many tokens, those below all covered ones are not searched. */
export function findNextGap(
  { coverage, skipped, findings }: Pick<Wallet, 'coverage' | 'skipped' | 'findings'>,
  range: BlockRange,
): BlockRange | undefined {
  const oldest = coverage.at(-1)
  const isFull = oldest && findings.tokens.size >= maxTokens
  const excluded = skipped.reduce(addRange, coverage)
  return findGap(excluded, isFull ? { ...range, from: Math.max(range.from, oldest.from) } : range)
}

/** Whether final blocks are not covered, except for few new ones. */
export function needsSearch(wallet: Wallet, range: BlockRange): boolean {
  const gap = findNextGap(wallet, range)
  const isFew =
    gap?.to === range.to && wallet.coverage.length > 0 && gap.to - gap.from < minFinalBlocks
  return gap !== undefined && !(isFew && !findNextGap(wallet, { ...range, to: gap.from - 1 }))
}

/** The first block that each response searches: below are covered blocks, or many that are searched in the background. */
export function findRecentStart(
  coverage: Coverage,
  startBlock: number,
  finalBlock: number,
): number {
  const [latest] = coverage
  return Math.max(
    startBlock,
    latest && isNear(coverage, finalBlock) ? latest.to + 1 : finalBlock + 1,
  )
}

/** Whether few final blocks follow the covered ones, so that each response searches them. */
export function isNear([latest]: Coverage, finalBlock: number): boolean {
  return latest !== undefined && finalBlock - (latest.to + 1) < minFinalBlocks
}
