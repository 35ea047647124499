import type { AnyOperation } from '@headwater/contract'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'

const addressPattern = /^0x[0-9a-fA-F]{40}$/

/**
 * Normalizes parameters, so that equivalent parameters share a request: sorted names, lower-case addresses, chain ids and
 * metadata as sorted sets, no undefined values. Leaves everything else as it is, so invalid parameters are safe.
 */
export function normalizeParameters<Parameters extends object>(parameters: Parameters): Parameters {
  const normalized: Record<string, unknown> = {}
  const input = (parameters ?? {}) as Record<string, unknown>
  for (const name of Object.keys(input).sort()) {
    const value = input[name]
    if (value === undefined) {
      continue
    }
    normalized[name] = normalizeValue(name, value)
  }
  return normalized as Parameters
}

function normalizeValue(name: string, value: unknown): unknown {
  if (typeof value === 'string' && addressPattern.test(value)) {
    return value.toLowerCase()
  }
  if (!Array.isArray(value)) {
    return value
  }
  // Always a copy: the caller may mutate its array while this one is part of a query key.
  return name === 'chainIds' || name === 'metadata'
    ? [...new Set<unknown>(value)].sort()
    : [...(value as unknown[])]
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
  return name === undefined
    ? new InvalidParameterError('parameters', message, parameters)
    : new InvalidParameterError(name, message, (parameters as Record<string, unknown>)[name])
}
