import type { Semaphore } from '../../queues/Semaphore.ts'
import { toChunks } from '../../toChunks.ts'
import type { CallOptions, Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import type { NodePool } from '../transport/NodePool.ts'
import { getResult } from '../transport/parseResponses.ts'
import { maxOutputBytes } from './aggregateCalls.ts'
import { batchAtBlock } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import { parseBytes } from './parseHex.ts'
import { executeInParts, rejectAggregation, runAggregated } from './runAggregated.ts'

/**
 * EVM code that returns the balances of the accounts behind it, in the same way as that of {@link aggregateCalls}, but in less than
 * half of the bytes:
 *
 *     for (; p < args.length; p += 20):   each account is: address (20 bytes)
 *       result += min(balance(address), 2 ** 128 - 1) (16 bytes)
 *     return 0 (1 byte), result           as no code may start with 0xEF
 */
export const balanceProgram =
  '603d380380603d604039604001604060015b82821015603957815160601c318060801c15156000031760801b815260100190601401906011565b6000f3'

const resultBytes = 16
const resultDigits = 2 * resultBytes
/** The result for a balance that needs more bytes. Only test chains have one. */
const tooLarge = 'f'.repeat(resultDigits)
/** The first byte of the data that the program returns. */
const prefix = '0x00'
/** The most accounts of one call. */
export const accountsPerCall = Math.floor(maxOutputBytes / resultBytes)

/**
 * Reads native balances in groups, each of which is one `eth_call`. One that fails concerns its accounts only.
 *
 * @param accounts - in lower case.
 * @param semaphore - limits the calls in flight.
 * @returns in the order of the accounts, in smallest units; undefined for those that failed or were not read before the timeout, and
 *   for all where no node aggregates calls.
 */
export async function aggregateBalances(
  pool: Pick<NodePool, 'run' | 'preferred'>,
  accounts: readonly string[],
  block: BlockRef,
  semaphore: Semaphore,
  { timeoutMs = Infinity, ...options }: CallOptions = {},
): Promise<(bigint | undefined)[]> {
  const endsAt = performance.now() + timeoutMs
  const execute = (node: NodeConnection, group: readonly string[], deadline: Deadline) =>
    executeInParts(node, node.capabilities.balancesPerCall, group, (part) =>
      readBalances(node, part, block, deadline),
    )
  const read = async (group: readonly string[]) => {
    const remainingMs = endsAt - performance.now()
    return remainingMs <= 0
      ? group.map(() => undefined)
      : await runAggregated(pool, group, execute, { ...options, timeoutMs: remainingMs })
  }
  // Another node that is used instead may have a lower limit: a group is divided then.
  const size = Math.min(
    accountsPerCall,
    pool.preferred?.capabilities.balancesPerCall.max ?? Infinity,
  )
  const balances = await Promise.all(
    toChunks(accounts, size).map((group) => semaphore.run(() => read(group), options.signal)),
  )
  return balances.flat()
}

/**
 * Reads native balances by one `eth_call`. As those of thousands of accounts are read at each head, calls and results are not
 * represented each by an object.
 *
 * @param accounts - in lower case, at most {@link accountsPerCall}.
 * @returns in the order of the accounts, in smallest units; undefined for those that need more bytes than the program returns.
 * @throws {NodeError} when a node returns anything else.
 */
async function readBalances(
  node: NodeConnection,
  accounts: readonly string[],
  block: BlockRef,
  deadline?: Deadline,
): Promise<(bigint | undefined)[]> {
  const inputs = accounts.map((account) => account.slice(2)).join('')
  const call = { subject: { data: `0x${balanceProgram}${inputs}` } }
  const [response] = await batchAtBlock(node, 'eth_call', [call], block, deadline)
  const balances = decode(parseBytes(getResult(response)), accounts.length)
  if (!balances) {
    throw rejectAggregation(node)
  }
  return balances
}

/** @returns undefined for anything else than `count` balances. */
function decode(output: string, count: number): (bigint | undefined)[] | undefined {
  if (!output.startsWith(prefix) || output.length !== prefix.length + count * resultDigits) {
    return undefined
  }
  const balances: (bigint | undefined)[] = []
  for (let start = prefix.length; start < output.length; start += resultDigits) {
    const digits = output.slice(start, start + resultDigits)
    balances.push(digits === tooLarge ? undefined : BigInt(`0x${digits}`))
  }
  return balances
}
