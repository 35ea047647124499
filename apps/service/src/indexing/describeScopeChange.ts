/**
 * Says which settings of what is indexed differ from those that a store was made with, and what to write into the
 * configuration file to have them back: a preset may have changed with the program, where the file says nothing.
 *
 * @param stored the scope that the store was made with, as JSON.
 * @param present the scope that the configuration asks for, as JSON.
 */
export function describeScopeChange(stored: string, present: string): string {
  const [before, now] = [stored, present].map((scope) => JSON.parse(scope) as Fields)
  const { hubs, ...fields } = differing(before ?? {}, now ?? {})
  const lines = Object.entries(fields).map(
    // What was not set is null, and what limits nothing is an empty list.
    ([field, value]) => `"${field}": ${JSON.stringify(value ?? (field === 'tokens' ? [] : null))}`,
  )
  const sentences = []
  if (lines.length > 0) sentences.push(`with ${lines.join(', ')}`)
  // Of a store of all tokens it says nothing, and these are not fields of their own.
  if (Array.isArray(hubs))
    sentences.push(
      `with these in wrappedNative, stablecoins and quoteTokens together: ${hubs.join(', ')}`,
    )
  return sentences.join(', and ')
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that are not the same, as they were before. */
function differing(before: Fields, now: Fields): Fields {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  const changed = [...names].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}
