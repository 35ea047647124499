import { isObject } from '../isObject.ts'
import { cleanText } from './cleanText.ts'

/** What a token list states about a token. */
export interface ListedToken {
  /** URI of the logo: over HTTP, `ipfs:` or `data:`. */
  readonly logo: string | undefined
  readonly homePage: string | undefined
  readonly symbol: string | undefined
  readonly name: string | undefined
}

/** All tokens of a list by {@link listKey}. */
export type TokenList = ReadonlyMap<string, ListedToken>

const maxTokens = 200_000
const maxLogoLength = 64 * 1024
const maxTextLength = 128
const homePageFields = ['homepage', 'website', 'url']

/** @param address - in lower case. */
export function listKey(chainId: number, address: string): string {
  return `${chainId}:${address}`
}

/**
 * Parses a token list (https://tokenlists.org). Malformed entries are skipped.
 *
 * @param chainIds - tokens of other chains are skipped.
 * @throws {Error} when the text is not a token list.
 */
export function parseTokenList(text: string, chainIds: ReadonlySet<number>): TokenList {
  const list: unknown = JSON.parse(text)
  const tokens = isObject(list) ? list['tokens'] : undefined
  if (!Array.isArray(tokens)) {
    throw new Error('The document is not a token list: it has no tokens')
  }
  const found = new Map<string, ListedToken>()
  for (const token of tokens.slice(0, maxTokens) as unknown[]) {
    if (!isObject(token)) {
      continue
    }
    const { chainId, address, logoURI, extensions, symbol, name } = token
    if (typeof chainId !== 'number' || !chainIds.has(chainId)) {
      continue
    }
    if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address)) {
      continue
    }
    const logo = isLogo(logoURI) ? logoURI : undefined
    const homePage = isObject(extensions) ? getHomePage(extensions) : undefined
    const key = listKey(chainId, address.toLowerCase())
    if (!found.has(key)) {
      found.set(key, { logo, homePage, symbol: toText(symbol), name: toText(name) })
    }
  }
  return found
}

function isLogo(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= maxLogoLength &&
    /^(https?|ipfs|ar|data):/i.test(value)
  )
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? cleanText(value, maxTextLength) : undefined
}

function getHomePage(extensions: Record<string, unknown>): string | undefined {
  for (const field of homePageFields) {
    const value = extensions[field]
    const url = typeof value === 'string' ? URL.parse(cleanText(value, 2048)) : null
    if (url && /^https?:$/.test(url.protocol) && !url.username) {
      return url.href
    }
  }
  return undefined
}
