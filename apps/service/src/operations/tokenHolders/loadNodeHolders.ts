import { sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import { addRecent } from '../../discovery/holders/auditHolders.ts'
import { type HolderChanges, maxSentIn } from '../../discovery/holders/foldTransfers.ts'
import {
  loadHoldersByAddress,
  type ScannedHolder,
  type StoredHolder,
  toScannedHolder,
} from '../../discovery/holders/holderRows.ts'
import {
  getScannedShare,
  type HolderScan,
  isSameScan,
  loadScan,
} from '../../discovery/holders/scanRows.ts'
import { SearchLimitError } from '../../discovery/SearchLimitError.ts'
import { NodeError } from '../../rpc/transport/NodeError.ts'
import { bytesArray } from '../../store/arrays.ts'
import type { Head } from '../../store/Head.ts'
import { fromHex } from '../../store/hex.ts'
import { secondsPerMinute } from '../../time.ts'
import { ApiError } from '../ApiError.ts'
import type { NodeChain } from '../fromNode/NodeChain.ts'
import type { HandlerContext } from '../Handler.ts'
import { type ChainHeads, combineHeads, getOnlyHead } from '../loadHeads.ts'
import { nodesUnavailable } from '../pricedTokens/fetchHoldings.ts'
import { type HolderKey, type HolderRow, selectHolderPage } from './loadHolders.ts'

interface Page {
  readonly chain: ChainConfig
  /** Contract in lower case. */
  readonly token: string
  readonly after: HolderKey | undefined
  readonly limit: number
}

type Context = Pick<HandlerContext, 'nodeChains' | 'chainReader' | 'readStore' | 'keyId'>

/** Retries of a page whose token was searched further while the page was loaded. */
const maxAttempts = 3
/** `Retry-After` while the rate of the search is unknown, and its limits. */
const defaultRetrySeconds = 5
const maxRetrySeconds = 3_600
/** `Retry-After` after an amount differed from the contract. */
const mismatchRetrySeconds = 2
/** How long a response waits for the transfers of the latest blocks. Further requests continue to load them. */
const recentTimeoutMs = 5_000

/**
 * Loads the holders of a token after a key, of a chain that is not indexed, or not completely: those of the final blocks
 * from the store, and the changes since from the nodes. Each amount of the page is compared with the contract at the head.
 *
 * @param requested - the chain as its store has it.
 * @param loadIndexed - loads the page from the index, if that is complete: another process, which was handed over to it
 *   before, has deleted the search.
 * @throws {ApiError} 404 for an address without an ERC20 or ERC721 token; 503 until its transfers have been searched, and
 *   when no node responds.
 */
export async function loadNodeHolders<Indexed>(
  requested: ChainHeads,
  page: Page,
  context: Context,
  loadIndexed: () => Promise<Indexed | undefined>,
): Promise<Indexed | { requested: ChainHeads; ranked: undefined; holders: HolderRow[] }> {
  const { chain, token } = page
  const atNodes = await context.nodeChains.findHeads(requested.nodeBacked)
  const heads = combineHeads([chain], [requested, atNodes])
  const head = getOnlyHead(heads)
  const node = context.nodeChains.get(chain.id)
  await addToken(node, page, head, context.keyId)
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const scan = await node.holders.update(token, head, context.keyId).catch(describeLimit)
    const indexed = scan ? undefined : await loadIndexed()
    if (indexed) {
      return indexed
    }
    if (!scan || !node.holders.isComplete(scan, head)) {
      throw describeProgress(token, scan, chain)
    }
    const { standard, scannedBlock, amountsFrom } = scan
    const recent = await node.holders.recent
      .load(token, { standard, from: scannedBlock + 1, timeoutMs: recentTimeoutMs }, head)
      .catch((error: unknown) => {
        throw error instanceof NodeError ? nodesUnavailable() : error
      })
    const found =
      amountsFrom === 'ledger'
        ? await loadLedgerPage(page, scan, recent, head, node, context)
        : await loadReadPage(page, scan, recent, context)
    if (found) {
      await node.holderHistory.complete(token, found, head)
      return {
        requested: heads,
        ranked: undefined,
        holders: found.map((each) => toRow(each, node)),
      }
    }
  }
  throw notRead(`The holders of ${token} are being updated`, mismatchRetrySeconds)
}

/** Adds a token that was not requested before. */
async function addToken(
  node: NodeChain,
  { chain, token }: Page,
  head: Head,
  keyId: number,
): Promise<void> {
  if (await node.holders.load(token)) {
    return
  }
  const isLegacy = chain.legacyCollections.some(({ address }) => address === token)
  const standard = isLegacy ? 721 : await node.tokens.findStandard(token, head)
  if (standard === undefined) {
    throw nodesUnavailable()
  }
  if (standard !== 20 && standard !== 721) {
    const message = `Chain ${chain.id} has no ERC20 or ERC721 token ${token}`
    throw new ApiError(404, 'TOKEN_NOT_FOUND', message, { param: 'address' })
  }
  await node.holders.add(token, standard, keyId).catch(describeLimit)
}

function describeLimit(error: unknown): never {
  if (error instanceof SearchLimitError) {
    const options = { retryAfterSeconds: defaultRetrySeconds }
    throw new ApiError(503, 'SEARCH_LIMIT_REACHED', error.message, options)
  }
  throw error
}

/** @returns undefined if the token was searched further meanwhile. */
async function loadLedgerPage(
  page: Page,
  scan: HolderScan,
  recent: HolderChanges,
  head: Head,
  node: NodeChain,
  { chainReader, readStore, keyId }: Context,
): Promise<ScannedHolder[] | undefined> {
  const { chain, token, after, limit } = page
  const key = { chainId: chain.id, token }
  const changed = [...recent.keys()]
  const stored = await readStore(async (snapshot) => {
    if (!isSameScan(await loadScan(snapshot, key), scan)) {
      return undefined
    }
    const others = sql`
      select * from scanned_holders
      where chain_id = ${chain.id}::bigint and token = ${fromHex(token)}::bytea and amount > 0
        and holder <> all (${bytesArray(changed)})`
    const query = selectHolderPage(others, after, sql.lit(limit))
    const { rows } = await sql<StoredHolder>`${query}`.execute(snapshot)
    return {
      unchanged: rows.map(toScannedHolder),
      changed: await loadHoldersByAddress(snapshot, key, changed),
    }
  })
  if (!stored) {
    return undefined
  }
  const before = new Map(stored.changed.map((each) => [each.holder, each]))
  const combined = changed.map((holder) => {
    const each = before.get(holder) ?? createHolder(holder)
    return { ...addHistory(each, recent), amount: addRecent(each, recent) }
  })
  const held = combined.filter((each) => (each.amount ?? 0n) > 0n && isAfter(each, after))
  const holders = [...stored.unchanged, ...held].sort(compareHolders).slice(0, limit)
  // The sum of transfers of an account with a deposit may be zero although it holds some.
  const depositors = combined.filter(({ holder }) => recent.get(holder)?.hasDeposit)
  const expected = new Map([...holders, ...depositors].map((each) => [each.holder, each.amount]))
  const amounts = await chainReader.holderAmounts(chain.id, token, [...expected.keys()], head)
  if (amounts.size < expected.size) {
    throw nodesUnavailable()
  }
  if ([...expected].some(([holder, amount]) => amounts.get(holder) !== amount)) {
    await node.holders.verifyAgain(token, keyId)
    const message = `An amount of ${token} differs from its transfers: its holders are being read`
    throw notRead(message, mismatchRetrySeconds)
  }
  return holders
}

/**
 * Loads amounts that were read from the contract.
 *
 * @returns undefined if the token was searched further meanwhile.
 */
async function loadReadPage(
  { chain, token, after, limit }: Page,
  scan: HolderScan,
  recent: HolderChanges,
  { readStore }: Context,
): Promise<ScannedHolder[] | undefined> {
  const key = { chainId: chain.id, token }
  const isOfToken = sql`chain_id = ${chain.id}::bigint and token = ${fromHex(token)}::bytea`
  const held = sql`
    select * from scanned_holders where ${isOfToken} and amount > 0 and read_block is not null`
  return await readStore(async (snapshot) => {
    if (!isSameScan(await loadScan(snapshot, key), scan)) {
      return undefined
    }
    const query = selectHolderPage(held, after, sql.lit(limit))
    const { rows } = await sql<StoredHolder>`${query}`.execute(snapshot)
    if (rows.length === 0 && !after) {
      const { rows: read } = await sql`
        select from scanned_holders where ${isOfToken} and read_block is not null
          and amount is not null limit 1`.execute(snapshot)
      if (read.length === 0) {
        throw notRead(`The contract ${token} returns no balances`, defaultRetrySeconds)
      }
    }
    return rows.map((row) => addHistory(toScannedHolder(row), recent))
  })
}

function createHolder(holder: string): ScannedHolder {
  return {
    holder,
    amount: 0n,
    readBlock: undefined,
    firstInBlock: undefined,
    firstInTime: undefined,
    hasInitiated: undefined,
    sentIn: [],
  }
}

/** Adds the transfers since the final blocks to the history of a holder. */
function addHistory(stored: ScannedHolder, recent: HolderChanges): ScannedHolder {
  const { firstIn, firstTime, sentIn = new Set<string>() } = recent.get(stored.holder) ?? {}
  const { firstInBlock, firstInTime, hasInitiated } = stored
  const isKnown = sentIn.size === 0 || hasInitiated || stored.sentIn.length === maxSentIn
  return {
    ...stored,
    firstInBlock: firstInBlock ?? firstIn,
    firstInTime: firstInBlock === undefined ? firstTime : firstInTime,
    hasInitiated: isKnown ? hasInitiated : undefined,
    sentIn: isKnown ? stored.sentIn : [...stored.sentIn, ...sentIn].slice(0, maxSentIn),
  }
}

/** The order of holders: by amount descending, then by address. */
function compareHolders(a: ScannedHolder, b: ScannedHolder): number {
  const amountA = a.amount ?? 0n
  const amountB = b.amount ?? 0n
  return amountA === amountB ? (a.holder < b.holder ? -1 : 1) : amountA > amountB ? -1 : 1
}

function isAfter(holder: ScannedHolder, after: HolderKey | undefined): boolean {
  return (
    !after || compareHolders({ ...createHolder(after[1]), amount: BigInt(after[0]) }, holder) < 0
  )
}

function toRow(each: ScannedHolder, { holderHistory }: NodeChain): HolderRow {
  const { firstInTime, initiated } = holderHistory.describe(each)
  return {
    holder: each.holder,
    amount: String(each.amount),
    first_in_time: firstInTime ?? null,
    has_initiated: initiated ?? null,
    read_block: each.readBlock ?? null,
  }
}

function describeProgress(
  token: string,
  scan: HolderScan | undefined,
  { startBlock, searches }: ChainConfig,
): ApiError {
  const share = scan ? getScannedShare(scan, startBlock) : 0
  const progress =
    share < 1
      ? `${Math.floor(share * 100)} % of the blocks were searched for its transfers`
      : 'their amounts are being compared with the contract'
  // The next request must precede the pause of the search.
  const latest = (secondsPerMinute * searches.pauseAfterMinutes) / 2
  const seconds = Math.min(
    maxRetrySeconds,
    Math.round(latest),
    Math.max(1, scan?.secondsLeft ?? defaultRetrySeconds),
  )
  return notRead(`The holders of ${token} are not known yet: ${progress}`, seconds)
}

function notRead(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(503, 'HOLDERS_NOT_READ', message, { retryAfterSeconds })
}
