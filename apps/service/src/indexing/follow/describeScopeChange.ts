/**
 * Describes which indexing settings of a store differ from the configuration, and what to write into the configuration
 * file to restore them: an update may have changed a preset.
 *
 * @param stored - the scope that the store was created with, as JSON.
 * @param configured - the scope of the configuration, as JSON.
 */
export function describeScopeChange(stored: string, configured: string): string {
  const [before, after] = [stored, configured].map((scope) => JSON.parse(scope) as Fields)
  const { hubs, ...fields } = findChanged(before ?? {}, after ?? {})
  const lines = Object.entries(fields).map(
    // A missing setting is null, and a missing list is empty.
    ([field, value]) =>
      `"${field}": ${JSON.stringify(value ?? (isOptionalList(field) ? [] : null))}`,
  )
  const parts = []
  if (lines.length > 0) {
    parts.push(`with ${lines.join(', ')}`)
  }
  // Absent for a store of all tokens. The quote tokens are not a setting of their own.
  if (Array.isArray(hubs)) {
    parts.push(
      `with these in wrappedNative, stablecoins and quoteTokens together: ${hubs.join(', ')}`,
    )
  }
  return parts.join(', and ')
}

const isOptionalList = (field: string) => field === 'tokens' || field === 'legacyCollections'

type Fields = Readonly<Record<string, unknown>>

/** @returns the previous values of the fields that changed. */
function findChanged(before: Fields, after: Fields): Fields {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}
