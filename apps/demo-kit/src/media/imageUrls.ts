import type { Collectible } from '@headwater/core'

/**
 * URL of a token's logo at the service. Built by the specification and not taken from the response, so that pages load no
 * third-party URLs.
 *
 * @param baseUrl - Base URL of the service, without a trailing slash.
 * @param address - Token contract, or `native`.
 */
export function logoUrl(baseUrl: string, chainId: number, address: string): string {
  const token = address === 'native' ? '' : `/${encodeURIComponent(address)}`
  return `${baseUrl}/beta/token/logo/${chainId}${token}`
}

/** URL of a collectible's image at the service; undefined if it has none. */
export function collectibleImageUrl(baseUrl: string, collectible: Collectible): string | undefined {
  const { image_url, chain_id: chainId, contract_address: contract, token_id: id } = collectible
  if (image_url === undefined) {
    return undefined
  }
  return `${baseUrl}/v1/evm/collectible/image/${chainId}/${encodeURIComponent(contract)}/${encodeURIComponent(id)}`
}
