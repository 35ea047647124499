import { HeadwaterError } from './HeadwaterError.ts'

/**
 * A parameter cannot be right, so nothing was sent.
 *
 * @example
 * import { InvalidParameterError } from '@headwater/core'
 * const field = (error: unknown) =>
 *   error instanceof InvalidParameterError ? error.parameter : undefined
 */
export class InvalidParameterError extends HeadwaterError {
  override name = 'InvalidParameterError' as const
  /** Name of the parameter, such as `historicalPrices`. */
  readonly parameter: string

  /**
   * @param parameter - Name of the parameter in camelCase.
   * @param rule - The rule that it breaks: `must be >= 1`.
   * @param value - What was given.
   */
  constructor(parameter: string, rule: string, value?: unknown) {
    super(`The parameter \`${parameter}\` ${rule}.`, {
      details: value === undefined ? undefined : `Given: ${display(value)}`,
      advice: 'Nothing was sent.',
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
