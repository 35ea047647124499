import { type OperationName, operations } from '@headwater/contract'

/** A matched path. */
export interface Route {
  readonly operation: OperationName
  /** Path prefix before the path of the operation. */
  readonly base: string
  /** Path parameters, by name. */
  readonly fromPath: Readonly<Record<string, string>>
}

const routes = Object.values(operations).map(({ name, path }) => ({
  operation: name,
  pattern: new RegExp(`^(?<base>.*)${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Finds the operation of a path, below any base path; undefined if there is none. */
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
