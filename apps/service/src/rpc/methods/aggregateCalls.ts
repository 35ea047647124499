import type { Deadline } from '../transport/Deadline.ts'
import type { NodeConnection } from '../transport/NodeConnection.ts'
import { getResult, type RpcResponse } from '../transport/parseResponses.ts'
import { batchAtBlock } from './batchAtBlock.ts'
import type { BlockRef } from './BlockHeader.ts'
import type { Call, CallResult } from './Call.ts'
import { parseBytes } from './parseHex.ts'
import { executeInParts, rejectAggregation } from './runAggregated.ts'

/**
 * EVM code that executes the calls behind it and returns their results, as if it deployed a contract, so that it works at
 * every block of every chain with the EVM, without a deployed contract such as Multicall3:
 *
 *     for (; p < args.length; p += 22 + length):   each call is: address (20 bytes), length (2), data (length)
 *       length = 0: success, data = 1, balance(address)
 *       otherwise:  success, data = staticcall(gas = 500,000, address, data), at most the first 384 bytes of the result
 *       result += success (1 byte), size of data (2 bytes), data
 *     return 0 (1 byte), result                    as no code may start with 0xEF
 *
 * A call cannot use up the gas of the others, as that of each is limited, nor their memory.
 */
export const program =
  '608538038060856000398060010160005b828110601d575081900390f35b805160601c816014015160f01c80603d5790318360030152600160206064565b6000808285601601856207a120fa9150903d610180818110908290030201806000866003013e5b9084538084600201538060081c84600101536003018301925060160101601056'

/** The most bytes of a result that are returned; a longer one may be truncated. */
const maxResultBytes = 384
/** Below the limit of 49,152 bytes for the code that deploys a contract (EIP-3860). */
const maxInputBytes = 40_000
/**
 * Below the limit of 24,576 bytes for the code of a contract (EIP-170), and of what nodes execute at most, commonly 50 million gas:
 * from the Amsterdam fork on, each byte of code costs 1,530 (EIP-8037), and a balance of a token 10,000 in addition.
 */
export const maxOutputBytes = 20_000
/** The gas of each call. */
const callGas = 500_000
/** Bytes before each result. */
const headerBytes = 3
const wordBytes = 32
const noData = '0x'

/**
 * A call that returns the native balance of an account as a word, in smallest units. Only {@link aggregateCalls} executes
 * it: where no node aggregates calls, it counts as reverted. `aggregateBalances` reads those of many accounts.
 */
export function nativeBalanceCall(account: string): Call {
  return { to: account, data: noData, maxBytes: wordBytes }
}

/** Whether a call is a {@link nativeBalanceCall}. */
export function isNativeBalanceCall({ data }: Call): boolean {
  return data === noData
}

/**
 * Executes calls at one block in few requests, each of which is one `eth_call`.
 *
 * @param resultBytes - the size of a plausible result of calls without one of their own. Larger ones are returned as long as all
 *   fit together.
 * @returns the result of each call, in their order. Those that may have failed for a reason that is not the contract's, such
 *   as their limit of gas, are undefined.
 * @throws {NodeError} when a node returns anything else, as one does that does not execute this code.
 */
export async function aggregateCalls(
  node: NodeConnection,
  calls: readonly Call[],
  resultBytes: number,
  block: BlockRef,
  deadline?: Deadline,
): Promise<(CallResult | undefined)[]> {
  const execute = async (group: readonly Call[]) => {
    const call = { subject: { data: encodeAggregate(group) } }
    const [response] = await batchAtBlock(node, 'eth_call', [call], block, deadline)
    return decodeAggregate(node, group, response)
  }
  const results = await Promise.all(
    groupCalls(calls, resultBytes).map((group) =>
      executeInParts(node, node.capabilities.callsPerAggregate, group, execute),
    ),
  )
  return results.flat()
}

/**
 * Divides calls into as many groups as the limits of the EVM require.
 *
 * @param maxCalls - the most calls of a group.
 */
export function groupCalls(
  calls: readonly Call[],
  resultBytes: number,
  maxCalls = Infinity,
): Call[][] {
  const groups: Call[][] = []
  let group: Call[] = []
  let input = Infinity
  let output = Infinity
  for (const call of calls) {
    const ofInput = encode(call).length / 2
    const ofOutput = headerBytes + (call.resultBytes ?? resultBytes)
    input += ofInput
    output += ofOutput
    if (input > maxInputBytes || output > maxOutputBytes || group.length >= maxCalls) {
      group = []
      groups.push(group)
      input = ofInput
      output = ofOutput
    }
    group.push(call)
  }
  return groups
}

/** Encodes a group of calls as the data of an `eth_call` without `to`. */
export function encodeAggregate(calls: readonly Call[]): string {
  return `0x${program}${calls.map(encode).join('')}`
}

/**
 * Decodes the response to a group of calls.
 *
 * @throws {NodeError} like {@link aggregateCalls}.
 */
export function decodeAggregate(
  node: NodeConnection,
  calls: readonly Call[],
  response: RpcResponse | undefined,
): (CallResult | undefined)[] {
  const results = decode(parseBytes(getResult(response)), calls)
  if (!results) {
    throw rejectAggregation(node)
  }
  return results
}

/** Encodes a call, without `0x`. */
function encode({ to, data }: Call): string {
  const length = (data.length - 2) / 2
  return `${to.slice(2)}${length.toString(16).padStart(4, '0')}${data.slice(2)}`
}

/** @returns undefined for anything else than the result of the program. */
function decode(output: string, calls: readonly Call[]): (CallResult | undefined)[] | undefined {
  const results: (CallResult | undefined)[] = []
  // After `0x` and the byte 0.
  let start = 4
  while (start < output.length && results.length < calls.length) {
    const isSuccess = output.slice(start, start + 2) === '01'
    const size = Number(`0x${output.slice(start + 2, start + 6)}`)
    const end = start + 2 * (headerBytes + size)
    const isTruncated = size === maxResultBytes
    const { maxGas = Infinity } = calls[results.length] ?? {}
    if (isSuccess) {
      const data = `0x${output.slice(start + 6, end)}`
      results.push(isTruncated ? undefined : { status: 'success', data })
    } else {
      results.push(maxGas <= callGas ? { status: 'reverted' } : undefined)
    }
    start = end
  }
  const isComplete =
    output.startsWith('0x00') && start === output.length && results.length === calls.length
  return isComplete ? results : undefined
}
