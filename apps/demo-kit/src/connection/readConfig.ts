import type { KnownChain } from '../chains/chainChoices.ts'

/** The configuration of the page, written by `npm start`. */
export interface Config {
  apiUrl: string
  apiKey: string
  wallets: { name: string; address: string }[]
  /** The chains to select; those that a wallet holds tokens on are added. */
  chains: readonly KnownChain[]
}

/**
 * Parses `config.json`.
 *
 * @param json - Its value, which is not validated.
 * @param search - The query of the page's URL; its `key` replaces the key.
 * @returns The configuration, or null when it has no URL of the service.
 */
export function readConfig(json: unknown, search: string): Config | null {
  const { apiUrl, apiKey, wallets, chains } = (json ?? {}) as Partial<Record<keyof Config, unknown>>
  if (typeof apiUrl !== 'string' || apiUrl === '') {
    return null
  }
  const key = new URLSearchParams(search).get('key') ?? apiKey
  const known = (Array.isArray(wallets) ? wallets : []).filter(isWallet)
  return {
    apiUrl,
    apiKey: typeof key === 'string' ? key : '',
    wallets: [...new Map(known.map((wallet) => [wallet.address, wallet])).values()],
    chains: (Array.isArray(chains) ? chains : []).filter(isChain),
  }
}

function isWallet(
  value: Partial<Config['wallets'][number]> | null,
): value is Config['wallets'][number] {
  return typeof value?.name === 'string' && typeof value.address === 'string'
}

function isChain(value: Partial<KnownChain> | null): value is KnownChain {
  return (
    Number.isSafeInteger(value?.id) &&
    typeof value?.name === 'string' &&
    Array.isArray(value.tags) &&
    value.tags.every((tag) => typeof tag === 'string')
  )
}
