import { BaseError } from './BaseError.ts'

/**
 * A parameter is invalid, so the request was not sent.
 *
 * @example
 * import { InvalidParameterError } from '@headwater/core'
 * const field = (error: unknown) =>
 *   error instanceof InvalidParameterError ? error.parameter : undefined
 */
export class InvalidParameterError extends BaseError<'InvalidParameterError'> {
  /** Name of the parameter, such as `historicalPrices`. */
  readonly parameter: string

  /**
   * @param parameter - Name of the parameter in camelCase.
   * @param rule - The violated rule: `must be >= 1`.
   * @param value - The invalid value.
   */
  constructor(parameter: string, rule: string, value?: unknown) {
    super('InvalidParameterError', `The parameter \`${parameter}\` ${rule}.`, {
      details: value === undefined ? undefined : `Received: ${display(value)}`,
      adviceKey: rule,
    })
    this.parameter = parameter
  }
}

function display(value: unknown): string {
  try {
    // Bundlers replace the expression, and remove the function for production.
    const replacer = process.env.NODE_ENV === 'production' ? undefined : displayNumber
    return (JSON.stringify(value, replacer) ?? String(value)).slice(0, 200)
  } catch {
    return String(value)
  }
}

/** JSON has neither bigints nor `NaN`, which it would display as null. */
function displayNumber(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    return `${value}n`
  }
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
