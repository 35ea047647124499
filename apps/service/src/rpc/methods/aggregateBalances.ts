import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { getResult } from '../transport/parseResponses.ts'
import { headerBytes, maxOutputBytes, program, rejectAggregation } from './aggregateCalls.ts'
import { batchAtBlock } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import { parseBytes } from './parseHex.ts'

/** What the program returns before each balance: success, and the size of a word. */
const resultHeader = '010020'
const wordDigits = 64
const resultDigits = resultHeader.length + wordDigits
/** The first byte of what the program returns. */
const prefix = '0x00'
/** The most accounts of one call. */
export const accountsPerCall = Math.floor(maxOutputBytes / (headerBytes + wordDigits / 2))

/**
 * Reads native balances by one `eth_call` of the program of aggregated calls. As those of thousands of accounts are read at each
 * head, calls and results are not represented each by an object.
 *
 * @param accounts - in lower case, at most {@link accountsPerCall}.
 * @returns in the order of the accounts, in smallest units.
 * @throws {NodeError} when a node returns anything else.
 */
export async function aggregateBalances(
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
