import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { isObject } from '../isObject.ts'

/**
 * For plain JavaScript, which may omit the first argument of a function. In development only.
 *
 * @throws {InvalidParameterError} for anything but a client.
 */
export function requireClient(client: unknown): void {
  // Bundlers replace the expression, and remove the code for production.
  if (process.env.NODE_ENV !== 'production' && !('transport' in Object(client))) {
    throw new InvalidParameterError('client', 'must be the client that `createClient` returned')
  }
}

/**
 * For plain JavaScript, which may pass null. In development only.
 *
 * @throws {InvalidParameterError} for anything but an object.
 */
export function requireOptions(options: unknown, name = 'options'): void {
  if (process.env.NODE_ENV !== 'production' && !isObject(options)) {
    throw new InvalidParameterError(name, 'must be of type object', options)
  }
}

/** The types that options may have, and single values, by name. */
export type OptionTypes = Readonly<Record<string, readonly unknown[]>>

/**
 * For plain JavaScript and environment variables, which are texts. To be called in development only.
 *
 * @param parent - Precedes the names in errors.
 * @throws {InvalidParameterError} for an option of another type. The value may be a secret, so the error does not contain it.
 */
export function requireTypes(options: object | undefined, types: OptionTypes, parent = ''): void {
  for (const [name, allowed] of Object.entries(types)) {
    const value = (options as Record<string, unknown> | undefined)?.[name] ?? undefined
    if (value !== undefined && !allowed.includes(typeof value) && !allowed.includes(value)) {
      throw new InvalidParameterError(parent + name, `must be of type ${allowed.join(' or ')}`)
    }
  }
}
