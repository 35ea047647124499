import type { KnownChain } from '../chains/chainChoices.ts'

/** The configuration of the page, written by `npm start`. */
export interface Config {
  /** URL of the service, or path of a proxy that adds the key. */
  apiUrl: string
  wallets: { name: string; address: string }[]
  /** The chains to select; those that a wallet holds tokens on are added. */
  chains: readonly KnownChain[]
}

/**
 * Parses `config.json`.
 *
 * @param json - Its value, which is not validated.
 * @returns The configuration, or null when it has no URL of the service.
 */
export function readConfig(json: unknown): Config | null {
  const { apiUrl, wallets, chains } = (json ?? {}) as Partial<Record<keyof Config, unknown>>
  if (typeof apiUrl !== 'string' || apiUrl === '') {
    return null
  }
  const known = (Array.isArray(wallets) ? wallets : []).filter(isWallet)
  return {
    apiUrl,
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
