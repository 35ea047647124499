import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  erc20Abi,
  parseAbi,
  zeroAddress,
} from 'viem'
import type { SyntheticChain } from './SyntheticChain.ts'

type Hex = `0x${string}`

/** An `eth_call` without the fields that have no effect here. */
export interface ContractCall {
  readonly to?: string | null
  readonly data?: string
  readonly input?: string
}

const pairAbi = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
])
/** Code that begins by reading the size of what follows it: it executes the calls behind it and returns their results. */
const aggregation = /^0x60([0-9a-f]{2})3803/
const maxAggregatedBytes = 384

/** Thrown where a contract reverts. */
export class RevertError extends Error {
  constructor() {
    super('execution reverted')
  }
}

/**
 * Executes a call: the functions of ERC20 tokens, Uniswap V2 factories and pairs, and aggregated calls, which have no
 * recipient.
 *
 * @returns `0x` for an address without code
 * @throws {RevertError} for an unknown function of a contract
 */
export function callContract(chain: SyntheticChain, call: ContractCall, block: number): string {
  const data = (call.data ?? call.input ?? '0x').toLowerCase()
  if (!call.to) {
    return aggregateCalls(chain, data, block)
  }
  const to = call.to.toLowerCase()
  const token = chain.findToken(to)
  if (token !== undefined) {
    return callToken(chain, token, data as Hex, block)
  }
  const { pairs = [] } = chain.options
  const pair = pairs.find(({ address }) => address === to)
  if (pair && data === '0x0902f1ac') {
    const [reserve0, reserve1] = chain.reservesOf(pair, block)
    return encodeFunctionResult({
      abi: pairAbi,
      functionName: 'getReserves',
      result: [reserve0, reserve1, 0],
    })
  }
  if (data.startsWith('0xe6a43905') && pairs.some(({ factory }) => factory === to)) {
    const { args } = decodeFunctionData({ abi: pairAbi, data: data as Hex })
    const tokens = (args as readonly string[]).map((address) => address.toLowerCase()).sort()
    const found = pairs.find((each) => each.factory === to && each.tokens.join() === tokens.join())
    return encodeAbiParameters([{ type: 'address' }], [(found?.address ?? zeroAddress) as Hex])
  }
  return '0x'
}

function callToken(chain: SyntheticChain, token: number, data: Hex, block: number): string {
  const { name, symbol, decimals } = chain.options.tokens[token] ?? {}
  const results: Record<string, () => string> = {
    '0x06fdde03': () => encodeAbiParameters([{ type: 'string' }], [name ?? '']),
    '0x95d89b41': () => encodeAbiParameters([{ type: 'string' }], [symbol ?? '']),
    '0x313ce567': () => toWord(BigInt(decimals ?? 0)),
    '0x18160ddd': () => toWord(chain.supplyOf(token)),
    '0x70a08231': () => {
      const { args } = decodeFunctionData({ abi: erc20Abi, data })
      const [holder] = args as [string]
      return toWord(chain.balanceOf(token, holder.toLowerCase(), block))
    },
  }
  const result = results[data.slice(0, 10)]
  if (!result) {
    throw new RevertError()
  }
  return result()
}

/** Does what the code of aggregated calls does. A call without data reads a native balance. */
function aggregateCalls(chain: SyntheticChain, code: string, block: number): string {
  const length = Number.parseInt(aggregation.exec(code)?.[1] ?? '', 16)
  if (Number.isNaN(length)) {
    throw new RevertError()
  }
  const results: string[] = []
  let at = 2 + 2 * length
  while (at < code.length) {
    const to = `0x${code.slice(at, at + 40)}`
    const bytes = Number.parseInt(code.slice(at + 40, at + 44), 16)
    const data = `0x${code.slice(at + 44, at + 44 + 2 * bytes)}`
    at += 44 + 2 * bytes
    let isSuccess = true
    let result = ''
    try {
      const returned =
        bytes === 0 ? toWord(chain.nativeBalanceOf(to)) : callContract(chain, { to, data }, block)
      result = returned.slice(2, 2 + 2 * maxAggregatedBytes)
    } catch {
      isSuccess = false
    }
    const size = (result.length / 2).toString(16).padStart(4, '0')
    results.push(`${isSuccess ? '01' : '00'}${size}${result}`)
  }
  return `0x00${results.join('')}`
}

function toWord(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
