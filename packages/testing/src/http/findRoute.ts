import type { FakeOperation } from '../operations/FakeOperation.ts'
import { fakeOperations } from '../operations/fakeOperations.ts'

/** What a path asks for. */
export interface Route {
  readonly operation: FakeOperation
  /** The path that stands before that of the operation. */
  readonly base: string
  /** Parameters by their names in the contract. */
  readonly fromPath: Readonly<Record<string, string>>
}

const routes = fakeOperations.map((operation) => ({
  operation,
  pattern: new RegExp(`^(?<base>.*)${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** Finds the operation of a path, under whatever base address; undefined for none. */
export function findRoute(path: string): Route | undefined {
  for (const { operation, pattern } of routes) {
    const groups = pattern.exec(path)?.groups
    if (!groups) continue
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
