import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const { resolve } = createRequire(import.meta.url)

/**
 * Finds the icon of a native asset by its symbol.
 *
 * @returns what loads its SVG; undefined when there is none.
 */
export function findNativeIcon(symbol: string): (() => Promise<string>) | undefined {
  if (!/^[A-Za-z0-9]{1,16}$/.test(symbol)) return undefined
  const path = resolve(`@web3icons/core/svgs/tokens/branded/${symbol.toUpperCase()}.svg.js`)
  if (!existsSync(path)) return undefined
  return async () => {
    const icon = (await import(pathToFileURL(path).href)) as { readonly default: string }
    return icon.default
  }
}
