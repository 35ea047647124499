import { wireName, type Operation } from '@headwater/contract'

/** Writes valid parameters as path and query, as the declaration says. */
export function buildRequest<Parameters extends object>(
  { path, query }: Pick<Operation<string, Parameters, never>, 'path' | 'query'>,
  parameters: Parameters,
): string {
  const value = (name: string) => (parameters as Record<string, unknown>)[name]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(value(name)))
  const pairs = query
    .filter((name) => value(name) !== undefined)
    .map((name) => `${wireName(name)}=${encode(value(name))}`)
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
}

/** A list is one value with commas, which need no escape in a query. */
function encode(value: unknown): string {
  return Array.isArray(value) ? value.map(encode).join(',') : encodeURIComponent(String(value))
}
