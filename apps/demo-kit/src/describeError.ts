import { isHeadwaterError } from '@headwater/core'

/** An error as the page shows it. */
export interface Problem {
  kind: 'invalid-address' | 'unauthorized' | 'offline' | 'other'
  title: string
  advice: string
}

/** Says what happened and what to do about it, in the words of these pages. */
export function describeError(error: unknown): Problem {
  if (!isHeadwaterError(error)) {
    return { kind: 'other', title: 'This page has failed.', advice: String(error) }
  }
  const status = 'status' in error ? error.status : undefined
  if (error.name === 'InvalidParameterError') {
    if ('parameter' in error && error.parameter === 'address') {
      return {
        kind: 'invalid-address',
        title: 'This is not a wallet address.',
        advice:
          'An address is 0x followed by 40 hexadecimal digits. Check that it was copied whole, then try again.',
      }
    }
    return {
      kind: 'other',
      title: error.shortMessage,
      advice: 'Correct it under “Connection” below.',
    }
  }
  if (status === 401 || status === 403) {
    return {
      kind: 'unauthorized',
      title: 'The service refuses the API key.',
      advice: 'Enter a valid key under “Connection” below. The start command prints one.',
    }
  }
  if (error.name === 'NetworkError' || error.name === 'TimeoutError') {
    return {
      kind: 'offline',
      title: 'The service cannot be reached.',
      advice: 'Check that it runs. This page keeps trying and goes on by itself.',
    }
  }
  return {
    kind: 'other',
    title: error.shortMessage,
    advice: error.isRetryable
      ? 'This page keeps trying and goes on by itself.'
      : (error.advice ?? 'Try again later.'),
  }
}
