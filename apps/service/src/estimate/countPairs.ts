import { decodeLog } from '../indexing/decode/decodeLog.ts'
import type { Scope } from '../indexing/decode/Scope.ts'
import { topics } from '../indexing/decode/topics.ts'
import { encodeWord, zeroAddress } from '../indexing/decode/words.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'

/** Transfers whose pairs are counted. */
const pairSamples = 60
/** Searches, of up to four ranges of blocks each. */
const maxSearches = 3_000
/** More transfers change the average by less than its error. */
const maxReceived = 200
/** Transfers to a holder of tokens of other pairs: that holder is searched apart then. */
const maxOthers = 2_000

/** A transfer to a holder. */
export interface Incoming {
  readonly token: string
  readonly holder: string
  readonly isErc20: boolean
}

interface CountOptions {
  readonly node: Pick<ChainNode, 'getContractLogs'>
  readonly scope: Scope
  /** Blocks to search, both ends included. */
  readonly from: number
  readonly to: number
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
  readonly random: () => number
}

/**
 * Estimates the number of distinct pairs of holder and token per transfer, from sampled transfers.
 *
 * A pair that received k transfers is sampled k times as often as one that received a single one: the average of 1/k over
 * sampled transfers is the number of pairs per transfer. All pairs are searched at once, as the history of a chain is many
 * ranges of blocks; a holder that receives much of the tokens of other pairs, apart.
 *
 * @returns undefined where the nodes do not search logs, or not in few enough searches.
 */
export async function countPairs(
  options: CountOptions,
  incoming: readonly Incoming[],
): Promise<{ readonly value: number; readonly transfers: number } | undefined> {
  const { node, scope, from, to, signal, onProgress, random } = options
  const chosen = incoming
    .map((transfer) => ({ transfer, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, pairSamples)
    .map(({ transfer }) => transfer)
  const received = new Map<string, number>()
  const groups = [new Map(chosen.map((pair) => [getKey(pair), pair]))]
  let searches = 0
  // It grows meanwhile.
  for (const [index, pairs] of groups.entries()) {
    const others = new Map<string, number>()
    for (let next = from; next <= to && pairs.size > 0;) {
      const share = Math.floor((100 * (next - from)) / (to - from + 1))
      onProgress(
        `counting transfers of pairs: ${share} % of search ${index + 1} of ${groups.length}`,
      )
      const found =
        ++searches > maxSearches
          ? undefined
          : await node
              .getContractLogs(toEvents([...pairs.values()], scope), { from: next, to }, { signal })
              .catch(() => undefined)
      signal.throwIfAborted()
      if (!found) {
        return undefined
      }
      for (const log of found.logs) {
        const pair = toPair(decodeLog(log, scope))
        if (pair && pairs.has(getKey(pair))) {
          received.set(getKey(pair), (received.get(getKey(pair)) ?? 0) + 1)
        } else if (pair) {
          others.set(pair.holder, (others.get(pair.holder) ?? 0) + 1)
        }
      }
      for (const [key, pair] of pairs) {
        if ((received.get(key) ?? 0) >= maxReceived) {
          pairs.delete(key)
        } else if ((others.get(pair.holder) ?? 0) > maxOthers && pairs.size > 1) {
          pairs.delete(key)
          received.delete(key)
          groups.push(new Map([[key, pair]]))
        }
      }
      next = found.to + 1
    }
  }
  // Nodes may lack the logs of their own receipts.
  const sum = chosen.reduce(
    (total, pair) => total + 1 / Math.max(1, received.get(getKey(pair)) ?? 0),
    0,
  )
  return chosen.length === 0 ? undefined : { value: sum / chosen.length, transfers: chosen.length }
}

function getKey({ token, holder, isErc20 }: Incoming): string {
  return `${isErc20} ${token} ${holder}`
}

function toEvents(pairs: readonly Incoming[], { wrappedNative }: Scope) {
  const address = [...new Set(pairs.map(({ token }) => token))]
  const holders = [...new Set(pairs.map(({ holder }) => encodeWord(holder)))]
  return {
    address,
    filters: [
      [[topics.transfer, topics.erc20Transfer], null, holders],
      ...(address.some((token) => token === wrappedNative) ? [[[topics.deposit], holders]] : []),
    ],
  }
}

/** The pair of an event that counts as a transfer to a holder. */
export function toPair(event: ReturnType<typeof decodeLog>): Incoming | undefined {
  if (event?.kind === 'transfer' && event.amount > 0n && event.to !== zeroAddress) {
    return { token: event.token, holder: event.to, isErc20: true }
  }
  return event?.kind === 'collectible-transfer' &&
    event.to !== zeroAddress &&
    event.standard === 721
    ? { token: event.contract, holder: event.to, isErc20: false }
    : undefined
}
