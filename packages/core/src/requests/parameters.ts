import { skipToken } from '@tanstack/query-core'
import type { AnyOperation } from '@headwater/contract'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'

const addressPattern = /^0x[0-9a-fA-F]{40}$/

/**
 * Normalizes parameters, so that equivalent parameters share a request: sorted names, lower-case addresses, lists as sorted
 * sets, no undefined values, and no `false`, which is the default of every boolean parameter. Leaves everything else as it
 * is, so invalid parameters are safe. Historical prices keep their order, which is that of the response.
 */
export function normalizeParameters<Parameters extends object>(parameters: Parameters): Parameters {
  const normalized: Record<string, unknown> = {}
  const input = (parameters ?? {}) as Record<string, unknown>
  for (const name of Object.keys(input).sort()) {
    const value = input[name]
    if (value !== undefined && value !== false) {
      normalized[name] = normalizeValue(value, name)
    }
  }
  return normalized as Parameters
}

function normalizeValue(value: unknown, name?: string): unknown {
  if (typeof value === 'string' && addressPattern.test(value)) {
    return value.toLowerCase()
  }
  if (!Array.isArray(value)) {
    return value
  }
  // Always a copy: the caller may mutate its array while this one is part of a query key.
  return name === 'historicalPrices'
    ? [...(value as unknown[])]
    : [...new Set(value.map((item) => normalizeValue(item)))].sort(compareItems)
}

/** Numbers in ascending order, then texts. */
function compareItems(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1
}

/** Returns the error of the first invalid parameter, without a request. */
export function validateParameters<Parameters extends object>(
  { isParameters }: Pick<AnyOperation<Parameters>, 'isParameters'>,
  parameters: unknown,
): InvalidParameterError | undefined {
  if (isParameters(parameters) || !isParameters.error) {
    return undefined
  }
  const { instancePath, message } = isParameters.error
  const [, name] = instancePath.split('/')
  // Bundlers replace the expression, and remove the code for production.
  if (process.env.NODE_ENV !== 'production' && name === '0') {
    // The first character of a text, or the first item of a list, in place of parameters.
    return new InvalidParameterError('parameters', 'must be of type object')
  }
  return name === undefined
    ? new InvalidParameterError('parameters', message, parameters)
    : new InvalidParameterError(name, message, (parameters as Record<string, unknown>)[name])
}

/**
 * Returns the error of a pagination parameter of a listing that sets these itself. The types have none, but plain JavaScript
 * may pass one, which must not be replaced silently.
 */
export function rejectPaging(parameters: unknown): InvalidParameterError | undefined {
  const { limit, offset } = (parameters ?? {}) as { limit?: unknown; offset?: unknown }
  if (limit !== undefined) {
    const rule = 'is set by the listing; use the options `pageSize` or `maxPages`'
    return new InvalidParameterError('limit', rule, limit)
  }
  return offset === undefined
    ? undefined
    : new InvalidParameterError('offset', 'is set by the listing', offset)
}

/** Returns the error of an option with which a listing would never reach its last page. */
export function rejectCounts({
  pageSize = 1,
  maxPages = 1,
}: {
  readonly pageSize?: number | undefined
  readonly maxPages?: number | undefined
}): InvalidParameterError | undefined {
  if (!(pageSize >= 1)) {
    return new InvalidParameterError('pageSize', 'must be >= 1', pageSize)
  }
  return Number.isNaN(maxPages)
    ? new InvalidParameterError('maxPages', 'must be a number', maxPages)
    : undefined
}

/** Whether parameters are not known yet: `skipToken`, or a required one is undefined. A missing one is an error instead. */
export function isSkipped<Parameters extends object>(
  operation: Pick<AnyOperation<Parameters>, 'isParameters'>,
  parameters: unknown,
): boolean {
  if (parameters === skipToken) {
    return true
  }
  const values = (parameters ?? {}) as Record<string, unknown>
  // Without undefined values, there is no need to validate.
  if (!Object.values(values).includes(undefined)) {
    return false
  }
  const { parameter = '' } = validateParameters(operation, values) ?? {}
  return parameter in values && values[parameter] === undefined
}
