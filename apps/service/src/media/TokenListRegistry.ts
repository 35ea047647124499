import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { indexNames, listNameKeys, type NameIndex, type TokenNames } from '../spam/indexNames.ts'
import { msPerMinute } from '../time.ts'
import type { UntrustedFetch } from './createUntrustedFetch.ts'
import { findNativeIcon } from './findNativeIcon.ts'
import { type ListedToken, listKey, parseTokenList, type TokenList } from './parseTokenList.ts'

const refreshIntervalMs = 24 * 60 * msPerMinute
const retryDelayMs = 10 * msPerMinute
const maxListBytes = 16 * 1024 * 1024
/** Token lists that are dependencies of the service. */
const packages: ReadonlySet<string> = new Set(['@uniswap/default-token-list'])

interface TokenListRegistryOptions {
  readonly chains: readonly Pick<ChainConfig, 'id' | 'nativeCurrency'>[]
  /** URLs, absolute paths and packages; the first with a logo or a home page of a token wins. */
  readonly tokenLists: readonly string[]
  readonly fetch: UntrustedFetch
  readonly logger: Logger
}

/** The tokens of the configured token lists, and the icons of native assets, in memory. */
export class TokenListRegistry {
  /** Indexed by the first request that searches them. */
  readonly #names = new WeakMap<TokenList, Promise<NameIndex>>()
  readonly #lists = new Map<string, TokenList>()
  readonly #nativeIcons = new Map<
    number,
    { readonly symbol: string; readonly load: () => Promise<string> }
  >()
  readonly #chainIds: ReadonlySet<number>
  readonly #nativeNames = new Map<string, string>()
  readonly #options: TokenListRegistryOptions

  constructor(options: TokenListRegistryOptions) {
    this.#options = options
    this.#chainIds = new Set(options.chains.map(({ id }) => id))
    for (const { id, nativeCurrency } of options.chains) {
      for (const key of listNameKeys(id, nativeCurrency)) {
        this.#nativeNames.set(key, 'native')
      }
      const load = findNativeIcon(nativeCurrency.symbol)
      if (load) {
        this.#nativeIcons.set(id, { symbol: nativeCurrency.symbol, load })
      }
    }
    for (const source of options.tokenLists) {
      // Inserted empty, so that the order of precedence does not depend on when a list is loaded.
      this.#lists.set(source, new Map())
      if (!isUrl(source)) {
        this.#parse(source, () => readLocal(source))
      }
    }
  }

  /** Finds a token by its address in lower case, or the native asset by `native`. */
  find(chainId: number, token: string): ListedToken | undefined {
    if (token === 'native') {
      const native = this.#nativeIcons.get(chainId)
      const texts = { homePage: undefined, symbol: undefined, name: undefined }
      return native && { logo: `native:${native.symbol}`, ...texts }
    }
    const key = listKey(chainId, token)
    for (const list of this.#lists.values()) {
      const found = list.get(key)
      if (found?.logo ?? found?.homePage) {
        return found
      }
    }
    return undefined
  }

  /** Whether a list has a token, with a logo or without. */
  isListed(chainId: number, token: string): boolean {
    const key = listKey(chainId, token)
    return [...this.#lists.values()].some((list) => list.has(key))
  }

  /**
   * Finds a listed token of a chain, or its native asset, with a symbol or a name that looks the same.
   *
   * @returns its address, or `native`.
   */
  async findCopied(chainId: number, names: TokenNames): Promise<string | undefined> {
    const lists = [...this.#lists.values()].map((list) => this.#index(list))
    const indexes = [this.#nativeNames, ...(await Promise.all(lists))]
    return listNameKeys(chainId, names)
      .flatMap((key) => indexes.map((index) => index.get(key)))
      .find((found) => found !== undefined)
  }

  #index(list: TokenList): Promise<NameIndex> {
    const known = this.#names.get(list)
    if (known) {
      return known
    }
    const index = indexNames(listTokens(list))
    this.#names.set(list, index)
    return index
  }

  /** The addresses of the listed tokens of a chain, in lower case. */
  addresses(chainId: number): string[] {
    const prefix = listKey(chainId, '')
    return [...this.#lists.values()].flatMap((list) =>
      [...list.keys()].flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : [])),
    )
  }

  /** Loads the icon of a chain's native asset, an SVG. */
  async loadNativeIcon(chainId: number): Promise<string | undefined> {
    return await this.#nativeIcons.get(chainId)?.load()
  }

  /** Fetches the remote lists now and every day, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const urls = this.#options.tokenLists.filter(isUrl)
    await Promise.all(urls.map((url) => this.#refresh(url, signal)))
  }

  async #refresh(url: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isRead = await this.#options
        .fetch(url, { maxBytes: maxListBytes, signal })
        .then((bytes) => this.#parse(url, () => Buffer.from(bytes).toString()))
        .catch((error: unknown) => signal.aborted || this.#warn(url, error))
      const delayMs = isRead ? refreshIntervalMs : retryDelayMs
      await delay(delayMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  #parse(source: string, read: () => string): boolean {
    try {
      this.#lists.set(source, parseTokenList(read(), this.#chainIds))
      return true
    } catch (error) {
      return this.#warn(source, error)
    }
  }

  #warn(source: string, error: unknown): false {
    // A query may contain a secret.
    const tokenList = isUrl(source) ? source.replace(/\?.*/s, '') : source
    this.#options.logger.warn({ tokenList, err: error }, 'failed to read token list')
    return false
  }
}

function* listTokens(list: TokenList) {
  for (const [key, names] of list) {
    const [chainId, address = ''] = key.split(':')
    yield { chainId: Number(chainId), address, names }
  }
}

function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

function readLocal(source: string): string {
  return readFileSync(
    packages.has(source) ? createRequire(import.meta.url).resolve(source) : source,
    'utf8',
  )
}
