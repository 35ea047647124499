import { HeadwaterError } from './HeadwaterError.ts'

export const destroyedMessage = 'The client was destroyed.'

/** Why what was under way or waiting ended with its client. */
export function createDestroyedError(): HeadwaterError {
  return new HeadwaterError(destroyedMessage)
}
