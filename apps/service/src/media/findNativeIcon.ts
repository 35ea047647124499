import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const { resolve } = createRequire(import.meta.url)

/**
 * Finds the icon of a native asset by its symbol.
 *
 * @returns a function that loads the SVG; undefined when there is no icon.
 */
export function findNativeIcon(symbol: string): (() => Promise<string>) | undefined {
  if (!/^[A-Za-z0-9]{1,16}$/.test(symbol)) {
    return undefined
  }
  const path = pathOf(`@web3icons/core/svgs/tokens/branded/${symbol.toUpperCase()}.svg.js`)
  if (path === undefined) {
    return undefined
  }
  return async () => {
    const icon = (await import(pathToFileURL(path).href)) as { readonly default: string }
    return icon.default
  }
}

function pathOf(module: string): string | undefined {
  try {
    return resolve(module)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') {
      return undefined
    }
    throw error
  }
}
