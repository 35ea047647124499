import type { Coding } from './BodyEncoder.ts'

/** In order of preference: the first one compresses better. */
const supported: readonly Coding[] = ['br', 'gzip']

/**
 * Selects the content coding of a response by the header `Accept-Encoding` (RFC 9110, 12.5.3).
 *
 * @returns undefined for a body that is not encoded.
 */
export function selectCoding(acceptEncoding: string | undefined): Coding | undefined {
  if (!acceptEncoding) {
    return undefined
  }
  const weights = parseWeights(acceptEncoding)
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const [best] = supported.toSorted((one, other) => weightOf(other) - weightOf(one))
  const identity = weights.get('identity') ?? 0
  return best && weightOf(best) > 0 && weightOf(best) >= identity ? best : undefined
}

/** The weights of codings by name. One that is not a number from 0 to 1 counts as 0. */
function parseWeights(acceptEncoding: string): ReadonlyMap<string, number> {
  return new Map(
    acceptEncoding.split(',').map((each) => {
      const [name = '', ...parameters] = each.toLowerCase().split(';')
      const weight = parameters.map((parameter) => /^\s*q\s*=\s*(\S*)\s*$/.exec(parameter)?.[1])[0]
      const value = weight === undefined ? 1 : Number(weight)
      return [name.trim(), value >= 0 && value <= 1 ? value : 0]
    }),
  )
}
