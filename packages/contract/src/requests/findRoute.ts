import { type OperationName, operations } from '../operations.ts'

/**
 * A path that belongs to an operation.
 *
 * @example
 * import { findRoute, type Route } from '@headwater/contract/schemas'
 * const route: Route | undefined = findRoute('/v1/evm/balances/0xd8')
 */
export interface Route {
  readonly operation: OperationName
  /** Path prefix before the path of the operation. */
  readonly base: string
  /** Path parameters, by name. Not validated. */
  readonly fromPath: Readonly<Record<string, string>>
}

const routes = Object.values(operations).map(({ name, path }) => ({
  operation: name,
  pattern: new RegExp(`^(?<base>.*)${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/**
 * Finds the operation of a path, below any base path.
 *
 * @param path - Path of a URL, percent-encoded.
 * @returns The route; undefined if the path belongs to no operation.
 * @example
 * import { findRoute } from '@headwater/contract/schemas'
 * findRoute('/api/v1/evm/balances/0xd8') // { operation: 'balances', base: '/api', fromPath: { address: '0xd8' } }
 */
export function findRoute(path: string): Route | undefined {
  for (const { operation, pattern } of routes) {
    const groups = pattern.exec(path)?.groups
    if (!groups) {
      continue
    }
    const { base = '', ...rest } = groups
    const fromPath = Object.entries(rest).map(([name, text]) => [name, decode(text)] as const)
    return { operation, base, fromPath: Object.fromEntries(fromPath) }
  }
  return undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
