import type { Hex } from 'viem'
import { encodeFunctionData, parseAbi, toFunctionSelector } from 'viem/utils'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import { type Call, ownerOfCall, wordCall } from '../rpc/methods/Call.ts'
import type { NodeError } from '../rpc/transport/NodeError.ts'
import { callContracts, type ContractSource } from './callContracts.ts'
import type { ContractBehaviour } from './classifyContract.ts'
import { decodeText } from './decodeText.ts'

/** What a token's contract returns; null where it returns no usable value. */
export interface TokenMetadata extends Omit<ContractBehaviour, 'events'> {
  readonly name: string | null
  readonly symbol: string | null
}

/** A contract, and the id of an ERC721 token that it has according to its events. */
export interface TokenContract {
  readonly address: string
  readonly tokenId?: bigint | undefined
  /** Selector of the function that returns its owner, where it is not `ownerOf`. */
  readonly ownerFunction?: string | undefined
}

const abi = parseAbi(['function supportsInterface(bytes4) view returns (bool)'])
const supports = (interfaceId: Hex) =>
  encodeFunctionData({ abi, functionName: 'supportsInterface', args: [interfaceId] })
/** A contract must answer within this gas (EIP-165). */
const supportsMaxGas = 30_000
/** 64 KB as hex. The texts of contracts that are read together would otherwise take gigabytes of memory. */
const maxTextBytes = 128 * 1024

function createCalls({ address, tokenId, ownerFunction }: TokenContract): Call[] {
  return [
    ...['name()', 'symbol()'].map((name) => ({
      to: address,
      data: toFunctionSelector(name),
      maxBytes: maxTextBytes,
    })),
    wordCall(address, toFunctionSelector('decimals()')),
    ...['0x80ac58cd', '0xd9b67a26'].map((interfaceId) => ({
      ...wordCall(address, supports(interfaceId as Hex)),
      maxGas: supportsMaxGas,
    })),
    ...(tokenId === undefined ? [] : [ownerOfCall(address, tokenId, ownerFunction)]),
  ]
}

/**
 * Reads the names, symbols and decimals of tokens, and which standards they support, in few requests.
 *
 * @param block - a block that has the contracts, so that an empty result means that a function does not exist.
 * @returns for each token its metadata, or the error if no node executed its calls.
 */
export async function fetchTokenMetadata(
  node: ContractSource,
  tokens: readonly TokenContract[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(TokenMetadata | NodeError)[]> {
  const calls = tokens.map(createCalls)
  const allResults = await callContracts(node, calls.flat(), block, signal)
  let start = 0
  return calls.map(({ length }) => {
    const results = allResults.slice(start, (start += length))
    const failure = results.find((result) => typeof result !== 'string')
    if (failure) {
      return failure
    }
    const [name, symbol, decimals, is721, is1155, owner] = results as (string | undefined)[]
    return {
      name: decodeText(name ?? '0x'),
      symbol: decodeText(symbol ?? '0x'),
      // A word from 0 to 255; anything else is not usable.
      decimals: /^0x0{62}[0-9a-f]{2}$/.test(decimals ?? '') ? Number(decimals) : null,
      supports721: isTrue(is721),
      supports1155: isTrue(is1155),
      hasOwners: /^0x0{24}(?!0{40})[0-9a-f]{40}$/.test(owner ?? ''),
    }
  })
}

function isTrue(result: string | undefined): boolean {
  return result === `0x${'1'.padStart(64, '0')}`
}
