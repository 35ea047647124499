import type { PublicUrl } from './PublicUrl.ts'
import type { TokenListRegistry } from './TokenListRegistry.ts'

/** URLs in answers. Addresses are lower case; `native` is the native asset. */
export class MediaLinks {
  readonly #publicUrl: PublicUrl
  readonly #directory: TokenListRegistry

  constructor(publicUrl: PublicUrl, directory: TokenListRegistry) {
    this.#publicUrl = publicUrl
    this.#directory = directory
  }

  /** Where this service has the logo of a token; undefined when none is known. */
  logo(chainId: number, token: string): string | undefined {
    if (!this.#directory.find(chainId, token)?.logo) {
      return undefined
    }
    const path = token === 'native' ? `${chainId}` : `${chainId}/${token}`
    return `${this.#publicUrl.value}/beta/token/logo/${path}`
  }

  /** The home page of a token, as a token list tells it. */
  homePage(chainId: number, token: string): string | undefined {
    return this.#directory.find(chainId, token)?.homePage
  }

  /** Where this service has the image of an NFT that has one. */
  image(chainId: number, contract: string, tokenId: bigint | string): string {
    const path = `${chainId}/${contract}/${tokenId}`
    return `${this.#publicUrl.value}/v1/evm/collectible/image/${path}`
  }
}
