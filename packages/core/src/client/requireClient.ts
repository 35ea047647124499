import { InvalidParameterError } from '../errors/InvalidParameterError.ts'

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
