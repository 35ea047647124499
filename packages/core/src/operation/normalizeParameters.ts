const address = /^0x[0-9a-fA-F]{40}$/

/**
 * Writes equal questions equally, so that they share a request: names sorted, addresses in lower case, chain ids and
 * kinds of metadata as sorted sets, nothing that is undefined. Touches nothing that it does not know, so it is safe for wrong parameters.
 */
export function normalizeParameters<Parameters extends object>(parameters: Parameters): Parameters {
  const normalized: Record<string, unknown> = {}
  const given = (parameters ?? {}) as Record<string, unknown>
  for (const name of Object.keys(given).sort()) {
    const value = given[name]
    if (value === undefined) continue
    normalized[name] = normalize(name, value)
  }
  return normalized as Parameters
}

function normalize(name: string, value: unknown): unknown {
  if (typeof value === 'string' && address.test(value)) return value.toLowerCase()
  if (!Array.isArray(value)) return value
  // A copy in any case: the caller may change its own list while this one is a key of the cache.
  return name === 'chainIds' || name === 'metadata'
    ? [...new Set<unknown>(value)].sort()
    : [...(value as unknown[])]
}
