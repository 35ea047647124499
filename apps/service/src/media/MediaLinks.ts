import type { TokenNames } from '../spam/indexNames.ts'
import type { PublicUrl } from './PublicUrl.ts'
import type { TokenListRegistry } from './TokenListRegistry.ts'

/** URLs of media, and what token lists state. Addresses are in lower case; `native` is the native asset. */
export class MediaLinks {
  readonly #publicUrl: PublicUrl
  readonly #tokenLists: TokenListRegistry

  constructor(publicUrl: PublicUrl, tokenLists: TokenListRegistry) {
    this.#publicUrl = publicUrl
    this.#tokenLists = tokenLists
  }

  /** The URL of this service for the logo of a token; undefined when no token list has one. */
  logo(chainId: number, token: string): string | undefined {
    if (!this.#tokenLists.find(chainId, token)?.logo) {
      return undefined
    }
    const path = token === 'native' ? `${chainId}` : `${chainId}/${token}`
    return `${this.#publicUrl.value}/beta/token/logo/${path}`
  }

  /** The home page of a token according to the token lists. Untrusted. */
  homePage(chainId: number, token: string): string | undefined {
    return this.#tokenLists.find(chainId, token)?.homePage
  }

  /** Whether a token list has a token. */
  isListed(chainId: number, token: string): boolean {
    return this.#tokenLists.isListed(chainId, token)
  }

  /** The address of a listed token, or `native`, with a symbol or a name that looks the same. */
  async findCopied(chainId: number, names: TokenNames): Promise<string | undefined> {
    return await this.#tokenLists.findCopied(chainId, names)
  }

  /** The URL of this service for the image of an NFT. */
  image(chainId: number, contract: string, tokenId: string): string {
    const path = `${chainId}/${contract}/${tokenId}`
    return `${this.#publicUrl.value}/v1/evm/collectible/image/${path}`
  }
}
