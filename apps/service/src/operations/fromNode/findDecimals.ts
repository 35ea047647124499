import type { BlockRef } from '../../rpc/methods/BlockHeader.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import type { TokenReader } from './TokenReader.ts'

/** The addresses of the quote tokens, and of tokens that are not native, each once. */
export function listPriced(
  quoteTokens: ReadonlySet<string>,
  tokens: readonly ChainToken[],
): string[] {
  const addresses = tokens.map(({ address }) => address).filter((address) => address !== 'native')
  return [...new Set([...quoteTokens, ...addresses])]
}

/**
 * Finds the decimals of tokens that are priced, and of all quote tokens, by address.
 *
 * @param tokens - those that were requested, with their decimals.
 * @returns undefined where no node returns those of a quote token, as another price could then result.
 */
export async function findDecimals(
  priced: readonly string[],
  tokens: readonly ChainToken[],
  quoteTokens: ReadonlySet<string>,
  reader: Pick<TokenReader, 'read'>,
  block: BlockRef,
): Promise<Map<string, number | undefined> | undefined> {
  const metadata = await reader.read([...quoteTokens], block)
  if ([...quoteTokens].some((token) => metadata.has(token) && !metadata.get(token))) {
    return undefined
  }
  const known = new Map(tokens.map(({ address, decimals }) => [address, decimals]))
  return new Map(
    [...priced, ...quoteTokens].map((token) => [
      token,
      known.get(token) ?? metadata.get(token)?.decimals,
    ]),
  )
}
