import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import type { UntrustedFetch } from './createUntrustedFetch.ts'
import { findNativeIcon } from './findNativeIcon.ts'
import { type ListedToken, listKey, parseTokenList, type TokenList } from './parseTokenList.ts'

const day = 24 * 60 * 60 * 1000
const retryMs = 10 * 60 * 1000
const maximumBytes = 16 * 1024 * 1024
/** Token lists that come with the service. */
const packages: ReadonlySet<string> = new Set(['@uniswap/default-token-list'])

interface TokenDirectoryOptions {
  readonly chains: readonly Pick<ChainConfig, 'id' | 'nativeCurrency'>[]
  /** URLs, absolute paths and packages; the first that knows a token wins. */
  readonly tokenLists: readonly string[]
  readonly fetch: UntrustedFetch
  readonly logger: Logger
}

/** What token lists tell of tokens, and the icons of native assets, in memory. */
export class TokenListRegistry {
  readonly #lists = new Map<string, TokenList>()
  readonly #natives = new Map<
    number,
    { readonly symbol: string; readonly load: () => Promise<string> }
  >()
  readonly #chainIds: ReadonlySet<number>
  readonly #options: TokenDirectoryOptions

  constructor(options: TokenDirectoryOptions) {
    this.#options = options
    this.#chainIds = new Set(options.chains.map(({ id }) => id))
    for (const { id, nativeCurrency } of options.chains) {
      const load = findNativeIcon(nativeCurrency.symbol)
      if (load) {
        this.#natives.set(id, { symbol: nativeCurrency.symbol, load })
      }
    }
    for (const source of options.tokenLists) {
      // The place among the others is kept, whenever it is read.
      this.#lists.set(source, new Map())
      if (!isUrl(source)) {
        this.#take(source, () => readLocal(source))
      }
    }
  }

  /** What is known of a token; `native` for the native asset. The address in lower case. */
  find(chainId: number, token: string): ListedToken | undefined {
    if (token === 'native') {
      const native = this.#natives.get(chainId)
      return native && { logo: `native:${native.symbol}`, homePage: undefined }
    }
    const key = listKey(chainId, token)
    for (const list of this.#lists.values()) {
      const found = list.get(key)
      if (found) {
        return found
      }
    }
    return undefined
  }

  /** The icon of a chain's native asset, an SVG. */
  async loadNativeIcon(chainId: number): Promise<string | undefined> {
    return await this.#natives.get(chainId)?.load()
  }

  /** Reads the lists that are kept elsewhere, now and every day, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const urls = this.#options.tokenLists.filter(isUrl)
    await Promise.all(urls.map((url) => this.#follow(url, signal)))
  }

  async #follow(url: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const read = await this.#options
        .fetch(url, { maximumBytes, signal })
        .then((bytes) => this.#take(url, () => Buffer.from(bytes).toString()))
        .catch((error: unknown) => signal.aborted || this.#warn(url, error))
      await delay(read ? day : retryMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  #take(source: string, read: () => string): boolean {
    try {
      this.#lists.set(source, parseTokenList(read(), this.#chainIds))
      return true
    } catch (error) {
      return this.#warn(source, error)
    }
  }

  #warn(tokenList: string, error: unknown): false {
    this.#options.logger.warn({ tokenList, err: error }, 'a token list cannot be read')
    return false
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
