import { expect } from 'vitest'
import { splitDigests } from '../src/http/changes/NativeWatch.ts'
import { parsePosition } from '../src/http/changes/Subscription.ts'
import type { ChainChange } from '../src/store/changes.ts'
import type { ReceivedEvent } from './readEvents.ts'

/** What a client followed on a chain, and the events that it received, over all of its connections. */
interface FollowingClient {
  readonly chainId: number
  readonly wallets: readonly string[]
  readonly tokens?: readonly string[]
  readonly holders?: readonly string[]
  readonly received: readonly ReceivedEvent[]
}

/** The version of the changes of a chain after an event; -1 before the first one. */
export function getVersion(id: string | undefined, chainId: number): number {
  return id === undefined ? -1 : (parsePosition(id)?.get(chainId)?.version ?? -1)
}

/** The number of digests of native balances that a position has and the one before lacks. */
function countNewDigests(before: string | undefined, id: string, chainId: number): number {
  const read = (position = '') => splitDigests(parsePosition(position)?.get(chainId)?.digests ?? '')
  const known = read(before)
  return [...read(id)].filter((digest) => !known.has(digest)).length
}

/**
 * Expects that each event of a client contains what the log records between its position and the one before, so that no change
 * is missing, and none is delivered twice. An event may also contain the wallets whose native balances it is the first to state,
 * which are not recorded: a client does not wait for nodes that are slow.
 *
 * @returns how many events were changes and reorgs, and how many contain several records.
 */
export function compareWithLog(
  log: readonly ChainChange[],
  { chainId, wallets, tokens = [], holders = [], received }: FollowingClient,
) {
  const counts = { changes: 0, reorgs: 0, merged: 0 }
  for (const [index, { id, event }] of received.entries()) {
    if (index === 0) {
      continue
    }
    const from = getVersion(received[index - 1]?.id, chainId)
    const to = getVersion(id, chainId)
    expect(to).toBeGreaterThanOrEqual(from)
    const rows = log.filter(({ version }) => version > from && version <= to)
    const changed = (kind: 'holders' | 'ledgers' | 'contracts', of: readonly string[]) =>
      of.filter((each) => rows.some(({ keys }) => keys?.[kind].includes(each)))
    // It is recorded as one that changed everything.
    const isReset = rows.some(({ keys }) => !keys)
    expect(event.type === 'reset').toBe(isReset)
    const ancestors = rows.flatMap(({ ancestor }) => ancestor ?? [])
    counts.reorgs += ancestors.length > 0 ? 1 : 0
    if (isReset) {
      continue
    }
    const eventWallets = event.wallets ?? []
    const changedWallets = changed('holders', wallets)
    const natives = eventWallets.filter((wallet) => !changedWallets.includes(wallet))
    const newDigests = countNewDigests(received[index - 1]?.id, id, chainId)
    expect(natives.length).toBeLessThanOrEqual(newDigests)
    const expectedHolders = [...changed('ledgers', holders), ...changed('contracts', holders)]
    expect({
      wallets: [...eventWallets].sort(),
      holders: [...(event.holders ?? [])].sort(),
      reorg: event.ancestor_block_number,
    }).toEqual({
      wallets: [...changedWallets, ...natives].sort(),
      holders: [...new Set(expectedHolders)].sort(),
      reorg: ancestors.length > 0 ? Math.min(...ancestors) : undefined,
    })
    expect(event.tokens ?? []).toEqual(expect.arrayContaining(changed('contracts', tokens)))
    counts.merged += rows.length > 1 ? 1 : 0
    counts.changes += event.type === 'change' ? 1 : 0
  }
  return counts
}
