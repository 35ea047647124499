import { decodeAbiParameters, encodeFunctionData, numberToHex, parseAbi } from 'viem/utils'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { callContracts, type ContractSource } from './callContracts.ts'

/** An NFT, and how to ask for its document. */
export interface CollectibleSource {
  readonly contract: string
  readonly tokenId: bigint
  /** Of the contract, as its first event told. */
  readonly standard: number
}

const abi = parseAbi([
  'function tokenURI(uint256) view returns (string)',
  'function uri(uint256) view returns (string)',
])
type FunctionName = 'tokenURI' | 'uri'
/** Documents and images within the URI have all room that documents have. */
const maximumBytes = 2 * 1024 * 1024
/** Of a URI in which `{id}` is replaced, which makes it up to sixteen times as long. */
const maximumPatternLength = 64 * 1024

/**
 * Asks NFTs' contracts where their documents are: `tokenURI` of ERC721, `uri` of ERC1155, the other one where that tells
 * nothing, as contracts may be both. `{id}` is replaced as ERC1155 says: 64 hex digits in lower case.
 *
 * @returns for each NFT its URI, undefined where the contract tells nothing usable, or why the node did not answer.
 */
export async function readTokenUris(
  node: ContractSource,
  collectibles: readonly CollectibleSource[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(string | undefined | NodeError)[]> {
  const ask = (asked: readonly CollectibleSource[], isOwn: boolean) =>
    askFunction(node, asked, isOwn, block, signal)
  const told = await ask(collectibles, true)
  const silent = [...told.keys()].filter((index) => told[index] === undefined)
  const others = await ask(
    silent.flatMap((index) => collectibles[index] ?? []),
    false,
  )
  for (const [at, index] of silent.entries()) {
    told[index] = others[at]
  }
  return told
}

async function askFunction(
  node: ContractSource,
  collectibles: readonly CollectibleSource[],
  isOwn: boolean,
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(string | undefined | NodeError)[]> {
  const calls = collectibles.map(({ contract, tokenId, standard }) => {
    const functionName: FunctionName = (standard === 1155) === isOwn ? 'uri' : 'tokenURI'
    const data = encodeFunctionData({ abi, functionName, args: [tokenId] })
    // In hex, and with what JSON-RPC says around it.
    const call = { to: contract, data, maxBytes: 2 * maximumBytes + 1024 }
    return { functionName, tokenId, call }
  })
  const answers = await callContracts(
    node,
    calls.map(({ call }) => call),
    block,
    signal,
  )
  return await Promise.all(
    calls.map(async ({ functionName, tokenId, call }, index) => {
      let answer = answers[index]
      // Alone, so that none fails in the company of another.
      if (answer instanceof NodeError) {
        ;[answer] = await callContracts(node, [call], block, signal)
      }
      if (typeof answer !== 'string') {
        return answer
      }
      const uri = decodeUri(answer)
      return uri !== undefined && functionName === 'uri' ? putTokenId(uri, tokenId) : uri
    }),
  )
}

function putTokenId(uri: string, tokenId: bigint): string | undefined {
  if (!uri.includes('{id}')) {
    return uri
  }
  if (uri.length > maximumPatternLength) {
    return undefined
  }
  return uri.replaceAll('{id}', numberToHex(tokenId, { size: 32 }).slice(2))
}

function decodeUri(answer: string): string | undefined {
  // Below is not even an empty string.
  if (answer.length < 2 + 2 * 64 || answer.length > 2 * maximumBytes) {
    return undefined
  }
  try {
    const [uri] = decodeAbiParameters([{ type: 'string' }], answer as `0x${string}`)
    return uri.replaceAll('\0', '').trim() || undefined
  } catch {
    return undefined
  }
}
