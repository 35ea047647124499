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
    })
    this.parameter = parameter
  }
}

function display(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 200)
  } catch {
    return String(value)
  }
}
