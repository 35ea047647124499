import type { Collectible } from '@headwater/core'

/**
 * Where the service has a token's logo. Built by the specification rather than taken from the answer: no page is made to
 * load what a stranger names.
 *
 * @param baseUrl - Of the service, without a trailing slash.
 * @param address - Token contract, or `native`.
 */
export function logoUrl(baseUrl: string, chainId: number, address: string): string {
  const token = address === 'native' ? '' : `/${encodeURIComponent(address)}`
  return `${baseUrl}/beta/token/logo/${chainId}${token}`
}

/** Where the service has a collectible's image; undefined where it says that there is none. */
export function collectibleImageUrl(baseUrl: string, collectible: Collectible): string | undefined {
  const { image_url, chain_id: chainId, contract_address: contract, token_id: id } = collectible
  if (image_url === undefined) {
    return undefined
  }
  return `${baseUrl}/v1/evm/collectible/image/${chainId}/${encodeURIComponent(contract)}/${encodeURIComponent(id)}`
}
