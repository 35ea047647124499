import { decodeAbiParameters, encodeFunctionData, numberToHex, parseAbi } from 'viem/utils'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import { callContracts, type ContractSource } from './callContracts.ts'

/** An NFT with a document that is to be read. */
export interface CollectibleSource {
  readonly contract: string
  readonly tokenId: bigint
  /** The standard of the contract, according to its first event. */
  readonly standard: number
}

const abi = parseAbi([
  'function tokenURI(uint256) view returns (string)',
  'function uri(uint256) view returns (string)',
])
type FunctionName = 'tokenURI' | 'uri'
/** Limit of a URI, which may contain the whole document and its image. */
const maxUriBytes = 2 * 1024 * 1024
/** Limit of a URI with `{id}`, which the replacement makes up to sixteen times as long. */
const maxTemplateLength = 64 * 1024

/**
 * Reads the URIs of NFTs' documents: by `tokenURI` for ERC721 and `uri` for ERC1155, and by the other function where
 * that returns no usable URI, as a contract may implement both. `{id}` is replaced as ERC1155 specifies, by 64 hex digits
 * in lower case.
 *
 * @returns for each NFT its URI, undefined where the contract returns no usable one, or the error if no node executed
 *   the call.
 */
export async function fetchTokenUris(
  node: ContractSource,
  collectibles: readonly CollectibleSource[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(string | undefined | NodeError)[]> {
  const uris = await callUriFunctions(node, collectibles, 'own', block, signal)
  const missing = [...uris.keys()].filter((index) => uris[index] === undefined)
  const others = await callUriFunctions(
    node,
    missing.flatMap((index) => collectibles[index] ?? []),
    'other',
    block,
    signal,
  )
  for (const [at, index] of missing.entries()) {
    uris[index] = others[at]
  }
  return uris
}

/** @param choice - the function of each contract's own standard, or of the other one. */
async function callUriFunctions(
  node: ContractSource,
  collectibles: readonly CollectibleSource[],
  choice: 'own' | 'other',
  block: BlockRef,
  signal?: AbortSignal,
): Promise<(string | undefined | NodeError)[]> {
  const calls = collectibles.map(({ contract, tokenId, standard }) => {
    const functionName: FunctionName =
      (standard === 1155) === (choice === 'own') ? 'uri' : 'tokenURI'
    const data = encodeFunctionData({ abi, functionName, args: [tokenId] })
    // A result is hex, which has two characters per byte, within JSON.
    const call = { to: contract, data, maxBytes: 2 * maxUriBytes + 1024 }
    return { functionName, tokenId, call }
  })
  const results = await callContracts(
    node,
    calls.map(({ call }) => call),
    block,
    signal,
  )
  return await Promise.all(
    calls.map(async ({ functionName, tokenId, call }, index) => {
      let result = results[index]
      // The error may be due to another call of the same request.
      if (result instanceof NodeError) {
        ;[result] = await callContracts(node, [call], block, signal)
      }
      if (typeof result !== 'string') {
        return result
      }
      const uri = decodeUri(result)
      return uri !== undefined && functionName === 'uri' ? insertTokenId(uri, tokenId) : uri
    }),
  )
}

function insertTokenId(uri: string, tokenId: bigint): string | undefined {
  if (!uri.includes('{id}')) {
    return uri
  }
  if (uri.length > maxTemplateLength) {
    return undefined
  }
  return uri.replaceAll('{id}', numberToHex(tokenId, { size: 32 }).slice(2))
}

function decodeUri(result: string): string | undefined {
  // An encoded string, even an empty one, has at least two words.
  if (result.length < 2 + 2 * 64 || result.length > 2 * maxUriBytes) {
    return undefined
  }
  try {
    const [uri] = decodeAbiParameters([{ type: 'string' }], result as `0x${string}`)
    return uri.replaceAll('\0', '').trim() || undefined
  } catch {
    return undefined
  }
}
