import type { Warning } from '@headwater/contract'

/** What pages tell beside their rows. */
export interface Notes {
  readonly warnings: readonly Warning[]
  readonly errors: object | undefined
}

/** What several pages tell together: every warning once, and the entries of all errors. */
export function addNotes(a: Notes, b: Notes): Notes {
  const warnings = new Map<string, Warning>()
  for (const each of [...a.warnings, ...b.warnings]) {
    warnings.set(`${each.code} ${each.message}`, each)
  }
  return { warnings: [...warnings.values()], errors: addErrors(a.errors, b.errors) }
}

function addErrors(a: object | undefined, b: object | undefined): object | undefined {
  if (!a || !b) return a ?? b
  const sum: Record<string, unknown> = { ...b, ...a }
  for (const [field, entries] of Object.entries(b) as [string, unknown][]) {
    const before = a[field as keyof typeof a] as unknown
    if (Array.isArray(entries) && Array.isArray(before)) sum[field] = [...before, ...entries]
  }
  return sum
}
