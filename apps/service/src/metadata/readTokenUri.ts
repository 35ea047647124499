import { decodeAbiParameters, encodeFunctionData, numberToHex, parseAbi } from 'viem'
import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { askContract } from './askContract.ts'

const abi = parseAbi([
  'function tokenURI(uint256) view returns (string)',
  'function uri(uint256) view returns (string)',
])
/** Documents and images within the URI have all room that documents have. */
const maximumBytes = 2 * 1024 * 1024

/**
 * Asks an NFT's contract where its document is: `tokenURI` of ERC721, `uri` of ERC1155, the other one where that tells
 * nothing, as contracts may be both. `{id}` is replaced as ERC1155 says: 64 hex digits in lower case.
 *
 * @returns undefined when the contract tells nothing usable.
 * @throws {NodeError} when the node and not the contract failed.
 */
export async function readTokenUri(
  node: Pick<ChainNode, 'callAt'>,
  { contract, tokenId, standard }: CollectibleSource,
  block: BlockRef,
  signal?: AbortSignal,
): Promise<string | undefined> {
  for (const functionName of functionsOf[standard === 1155 ? 1155 : 721]) {
    const data = encodeFunctionData({ abi, functionName, args: [tokenId] })
    const uri = decodeUri(await askContract(node, contract, data, block, signal))
    if (uri && functionName === 'uri')
      return uri.replaceAll('{id}', numberToHex(tokenId, { size: 32 }).slice(2))
    if (uri) return uri
  }
  return undefined
}

/** An NFT, and how to ask for its document. */
export interface CollectibleSource {
  readonly contract: string
  readonly tokenId: bigint
  /** Of the contract, as its first event told. */
  readonly standard: number
}

const functionsOf = { 721: ['tokenURI', 'uri'], 1155: ['uri', 'tokenURI'] } as const

function decodeUri(answer: string): string | undefined {
  // Below is not even an empty string.
  if (answer.length < 2 + 2 * 64 || answer.length > 2 * maximumBytes) return undefined
  try {
    const [uri] = decodeAbiParameters([{ type: 'string' }], answer as `0x${string}`)
    return uri.replaceAll('\0', '').trim() || undefined
  } catch {
    return undefined
  }
}
