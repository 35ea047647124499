import { type HeadwaterError, isHeadwaterError } from '@headwater/core'

/** An error as the page shows it. */
export interface Problem {
  kind: 'invalid-address' | 'unauthorized' | 'offline' | 'budget' | 'service-down' | 'other'
  title: string
  advice: string
}

const goesOn = 'This page keeps trying and goes on by itself.'

/**
 * Says what happened and what to do about it, in the words of these pages.
 *
 * @param error - Anything.
 * @param isOnline - Whether the browser has a network: without one nothing can be reached, and the service is not to blame.
 */
export function describeError(
  error: unknown,
  isOnline: boolean = globalThis.navigator?.onLine ?? true,
): Problem {
  if (!isHeadwaterError(error)) {
    return { kind: 'other', title: 'This page has failed.', advice: String(error) }
  }
  if (error.name === 'InvalidParameterError') {
    return describeParameter(error)
  }
  if (error.name === 'BudgetError') {
    return describeBudget(error)
  }
  if (error.name === 'NetworkError' || error.name === 'TimeoutError') {
    return isOnline
      ? {
          kind: 'service-down',
          title: 'The service cannot be reached.',
          advice: `Check that it runs. ${goesOn}`,
        }
      : {
          kind: 'offline',
          title: 'You are offline.',
          advice: 'This page goes on by itself when the network is back.',
        }
  }
  const status = 'status' in error ? Number(error.status) : 0
  if (status === 401 || status === 403) {
    return {
      kind: 'unauthorized',
      title: 'The service refuses the API key.',
      advice: 'Enter a valid key under “Connection” below. The start command prints one.',
    }
  }
  if (status === 402) {
    return {
      kind: 'budget',
      title: 'The compute units of the API key are used up.',
      advice: 'Top the key up, or enter another one under “Connection” below.',
    }
  }
  if (status >= 500) {
    return {
      kind: 'service-down',
      title: 'The service is not able to answer.',
      advice: `It says: ${error.shortMessage} ${goesOn}`,
    }
  }
  return {
    kind: 'other',
    title: error.shortMessage,
    advice: error.isRetryable ? goesOn : (error.advice ?? 'Try again later.'),
  }
}

function describeParameter(error: HeadwaterError): Problem {
  if ('parameter' in error && /address/i.test(String(error.parameter))) {
    return {
      kind: 'invalid-address',
      title: 'This is not an address.',
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

function describeBudget(error: HeadwaterError): Problem {
  const wait = 'retryAfter' in error && typeof error.retryAfter === 'number' && error.retryAfter
  const seconds = wait && Math.ceil(wait / 1000)
  return {
    kind: 'budget',
    title: 'The budget of this page is spent.',
    advice: seconds
      ? `It goes on by itself within ${seconds} s. To go on now, allow more under “Units”.`
      : 'To go on, allow more under “Units”.',
  }
}
