import { HeadwaterError } from './HeadwaterError.ts'

/** Why what was under way or waiting ended with its client. */
export function createDestroyedError(): HeadwaterError {
  return new HeadwaterError('The client was destroyed.')
}
