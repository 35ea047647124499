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
export function requireOptions(options: unknown): void {
  if (process.env.NODE_ENV !== 'production' && !isObject(options)) {
    throw new InvalidParameterError('options', 'must be of type object', options)
  }
}
