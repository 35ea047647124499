import type { StoredScope } from '../decode/StoredScope.ts'

type Ledger = StoredScope['ledger']

/**
 * Describes which settings of the ledger of a store differ from the configuration, and what to write into the configuration
 * file to restore them: an update may have changed a preset.
 *
 * @param stored - the settings that the store was created with.
 * @param configured - those of the configuration.
 */
export function describeLedgerChange(stored: Ledger, configured: Ledger): string {
  const names = new Set([...Object.keys(stored), ...Object.keys(configured)] as (keyof Ledger)[])
  const lines = [...names]
    .filter((name) => JSON.stringify(stored[name]) !== JSON.stringify(configured[name]))
    // A missing setting is null, and a missing list is empty.
    .map((name) => `"${name}": ${JSON.stringify(stored[name] ?? (isList(name) ? [] : null))}`)
  return `with ${lines.join(', ')}`
}

const isList = (name: string) => ['tokens', 'nativeAliases', 'legacyCollections'].includes(name)
