import { decodeLog } from '../../indexing/decode/decodeLog.ts'
import { getLegacyTopics } from '../../indexing/decode/legacyCollections.ts'
import type { Scope } from '../../indexing/decode/Scope.ts'
import { topics } from '../../indexing/decode/topics.ts'
import { zeroAddress } from '../../indexing/decode/words.ts'
import type { FoundLog } from '../../rpc/methods/requestLogs.ts'

/** The standards of tokens with holders: ERC20 and ERC721. */
export type HolderStandard = 20 | 721

/** What the transfers of some blocks change of a holder. */
export interface HolderChange {
  amount: bigint
  /** Block of the first transfer in. */
  firstIn: number | undefined
  /** Its time in unix seconds, where the node returned it. */
  firstTime: number | undefined
  /** Hashes of the first transactions with a transfer from the holder. */
  readonly sentIn: Set<string>
  /** Whether it deposited. Without a transfer of the deposit, as with WETH9, its amount exceeds the sum of its transfers. */
  hasDeposit: boolean
}

/** By address. */
export type HolderChanges = ReadonlyMap<string, HolderChange>

/** The most transactions of a holder that are searched for one that it sent. */
export const maxSentIn = 8

/** The first topics of the events that may change balances of a token. */
export function getHolderTopics({ legacyCollections }: Pick<Scope, 'legacyCollections'>): string[] {
  return [
    topics.transfer,
    topics.erc20Transfer,
    topics.consecutiveTransfer,
    topics.deposit,
    topics.withdrawal,
    ...getLegacyTopics(legacyCollections),
  ]
}

/**
 * Sums the transfers of a token like the index. Accounts of other events of the contract are holders without a change,
 * so that their amounts are compared with the contract, too.
 */
export function foldTransfers(
  logs: readonly FoundLog[],
  standard: HolderStandard,
  scope: Scope,
): HolderChanges {
  const changes = new Map<string, HolderChange>()
  const getChange = (holder: string): HolderChange => {
    let change = changes.get(holder)
    if (!change) {
      change = {
        amount: 0n,
        firstIn: undefined,
        firstTime: undefined,
        sentIn: new Set(),
        hasDeposit: false,
      }
      changes.set(holder, change)
    }
    return change
  }
  for (const [index, log] of logs.entries()) {
    const event = decodeLog(log, scope, logs[index - 1])
    if (event?.kind === 'deposit' && event.account !== zeroAddress) {
      getChange(event.account).hasDeposit = true
    }
    if (!event || !('from' in event)) {
      continue
    }
    const { from, to } = event
    const amount = getAmount(event, standard)
    if (amount === 0n || (from === zeroAddress && to === zeroAddress)) {
      continue
    }
    if (from !== zeroAddress) {
      const change = getChange(from)
      change.amount -= amount ?? 0n
      if (amount !== undefined && change.sentIn.size < maxSentIn) {
        change.sentIn.add(log.transactionHash)
      }
    }
    if (to !== zeroAddress) {
      const change = getChange(to)
      change.amount += amount ?? 0n
      if (amount !== undefined) {
        change.firstTime = change.firstIn === undefined ? log.time : change.firstTime
        change.firstIn ??= log.blockNumber
      }
    }
  }
  return changes
}

/** The accounts whose amounts may be more than the sums of their transfers. */
export function findDepositors(changes: HolderChanges): string[] {
  return [...changes].flatMap(([holder, { hasDeposit }]) => (hasDeposit ? [holder] : []))
}

/** In smallest units or numbers of NFTs; undefined for an event of another standard. */
function getAmount(
  event: Extract<NonNullable<ReturnType<typeof decodeLog>>, { readonly from: string }>,
  standard: HolderStandard,
): bigint | undefined {
  switch (event.kind) {
    case 'transfer':
      return standard === 20 ? event.amount : undefined
    case 'collectible-transfer':
      return standard === 721 && event.standard === 721 ? 1n : undefined
    case 'consecutive-transfer':
      return standard === 721 ? event.lastId - event.firstId + 1n : undefined
  }
}
