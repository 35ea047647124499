import { cleanText } from './cleanText.ts'

/** What is known of a token from elsewhere than its chain. */
export interface ListedToken {
  /** URI of the logo: over HTTP, `ipfs:` or `data:`. */
  readonly logo: string | undefined
  readonly homePage: string | undefined
}

/** Tokens of one list, by `listKey`. */
export type TokenList = ReadonlyMap<string, ListedToken>

const maximumTokens = 200_000
const maximumLogoLength = 64 * 1024
const homePageFields = ['homepage', 'website', 'url']

/** How a token is found in a list. The address in lower case. */
export function listKey(chainId: number, address: string): string {
  return `${chainId}:${address}`
}

/**
 * Reads a token list (https://tokenlists.org), leaving out what it does not say properly.
 *
 * @param chainIds - the chains whose tokens are wanted.
 * @throws {Error} when it is no token list.
 */
export function parseTokenList(text: string, chainIds: ReadonlySet<number>): TokenList {
  const list: unknown = JSON.parse(text)
  const tokens = isRecord(list) ? list['tokens'] : undefined
  if (!Array.isArray(tokens)) {
    throw new Error('It is no token list: it has no tokens')
  }
  const found = new Map<string, ListedToken>()
  for (const token of tokens.slice(0, maximumTokens) as unknown[]) {
    if (!isRecord(token)) {
      continue
    }
    const { chainId, address, logoURI, extensions } = token
    if (typeof chainId !== 'number' || !chainIds.has(chainId)) {
      continue
    }
    if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
      continue
    }
    const logo = isLogo(logoURI) ? logoURI : undefined
    const homePage = isRecord(extensions) ? homePageOf(extensions) : undefined
    const key = listKey(chainId, address.toLowerCase())
    if ((logo ?? homePage) && !found.has(key)) {
      found.set(key, { logo, homePage })
    }
  }
  return found
}

function isLogo(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= maximumLogoLength &&
    /^(https?|ipfs|ar|data):/i.test(value)
  )
}

function homePageOf(extensions: Record<string, unknown>): string | undefined {
  for (const field of homePageFields) {
    const value = extensions[field]
    const url = typeof value === 'string' ? URL.parse(cleanText(value, 2048)) : null
    if (url && /^https?:$/.test(url.protocol) && !url.username) {
      return url.href
    }
  }
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
