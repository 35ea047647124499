import type { ChainConfig } from '../config/Config.ts'

/** Words that chain definitions use as names but that read as tags. */
const tagLike = new Set(['default', 'devnet', 'localhost', 'mainnet', 'testnet'])

/** Whether a word names a chain: one of this service's, or one that is widely known. */
export async function isChainName(
  word: string,
  configured: readonly ChainConfig[],
): Promise<boolean> {
  const name = simplified(word)
  if (configured.some((chain) => simplified(chain.name) === name)) return true
  return !tagLike.has(name) && (await wellKnownNames()).has(name)
}

let names: Promise<ReadonlySet<string>> | undefined

/** Hundreds of definitions that hardly anybody needs: they are loaded when the first unknown word comes. */
function wellKnownNames(): Promise<ReadonlySet<string>> {
  names ??= import('viem/chains').then(
    (definitions) =>
      new Set(
        Object.entries(definitions).flatMap(([key, value]) => [
          simplified(key),
          ...('name' in value && 'id' in value ? [simplified(value.name)] : []),
        ]),
      ),
  )
  return names
}

function simplified(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
