import type { Semaphore } from '../../queues/Semaphore.ts'
import { toChunks } from '../../toChunks.ts'
import type { CallOptions, Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import type { NodePool } from '../transport/NodePool.ts'
import { getResult } from '../transport/parseResponses.ts'
import { headerBytes, maxOutputBytes, program, rejectAggregation } from './aggregateCalls.ts'
import { batchAtBlock } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import { parseBytes } from './parseHex.ts'
import { runAggregated } from './runAggregated.ts'

/** What the program returns before each balance: success, and the size of a word. */
const resultHeader = '010020'
const wordDigits = 64
const resultDigits = resultHeader.length + wordDigits
/** The first byte of what the program returns. */
const prefix = '0x00'
/** The most accounts of one call. */
export const accountsPerCall = Math.floor(maxOutputBytes / (headerBytes + wordDigits / 2))

/**
 * Reads native balances in groups, each of which is one `eth_call`. One that fails concerns its accounts only.
 *
 * @param accounts - in lower case.
 * @param semaphore - limits the calls in flight.
 * @returns in the order of the accounts, in smallest units; undefined for those that failed or were not read before the timeout, and
 *   for all where no node aggregates calls.
 */
export async function aggregateBalances(
  pool: Pick<NodePool, 'run'>,
  accounts: readonly string[],
  block: BlockRef,
  semaphore: Semaphore,
  { timeoutMs = Infinity, ...options }: CallOptions = {},
): Promise<(bigint | undefined)[]> {
  const endsAt = performance.now() + timeoutMs
  const read = async (group: readonly string[]) => {
    const remainingMs = endsAt - performance.now()
    return remainingMs <= 0
      ? group.map(() => undefined)
      : await runAggregated<string, bigint>(
          pool,
          group,
          (node, part, deadline) => readBalances(node, part, block, deadline),
          { ...options, timeoutMs: remainingMs },
        )
  }
  const balances = await Promise.all(
    toChunks(accounts, accountsPerCall).map((group) =>
      semaphore.run(() => read(group), options.signal),
    ),
  )
  return balances.flat()
}

/**
 * Reads native balances by one `eth_call` of the program of aggregated calls. As those of thousands of accounts are read at each
 * head, calls and results are not represented each by an object.
 *
 * @param accounts - in lower case, at most {@link accountsPerCall}.
 * @returns in the order of the accounts, in smallest units.
 * @throws {NodeError} when a node returns anything else.
 */
async function readBalances(
  node: NodeConnection,
  accounts: readonly string[],
  block: BlockRef,
  deadline?: Deadline,
): Promise<bigint[]> {
  // Without data: the program returns the balance of the account.
  const inputs = accounts.map((account) => `${account.slice(2)}0000`)
  const call = { subject: { data: `0x${program}${inputs.join('')}` } }
  const [response] = await batchAtBlock(node, 'eth_call', [call], block, deadline)
  const balances = decode(parseBytes(getResult(response)), accounts.length)
  if (!balances) {
    throw rejectAggregation(node)
  }
  return balances
}

/** @returns undefined for anything else than so many balances. */
function decode(output: string, count: number): bigint[] | undefined {
  if (!output.startsWith(prefix) || output.length !== prefix.length + count * resultDigits) {
    return undefined
  }
  const balances: bigint[] = []
  for (let start = prefix.length; start < output.length; start += resultDigits) {
    if (!output.startsWith(resultHeader, start)) {
      return undefined
    }
    const word = start + resultHeader.length
    balances.push(BigInt(`0x${output.slice(word, word + wordDigits)}`))
  }
  return balances
}
