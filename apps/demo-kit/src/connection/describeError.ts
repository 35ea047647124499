import { type HeadwaterError, isHeadwaterError } from '@headwater/core'

/** An error as the page shows it. */
export interface Problem {
  kind: 'invalid-address' | 'unauthorized' | 'offline' | 'budget' | 'service-down' | 'other'
  /** Empty while offline: the banner of the page already states that. */
  title: string
  advice: string
}

const retryNotice = 'This page retries automatically.'

/**
 * Describes an error and its remedy for the user of the page.
 *
 * @param error - Any thrown value.
 * @param isOnline - Whether the browser has a network. Without one, the service is not reported as down.
 */
export function describeError(
  error: unknown,
  isOnline: boolean = globalThis.navigator?.onLine ?? true,
): Problem {
  if (!isHeadwaterError(error)) {
    return { kind: 'other', title: 'This page failed.', advice: String(error) }
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
          advice: `Check that it is running. ${retryNotice}`,
        }
      : { kind: 'offline', title: '', advice: '' }
  }
  const status = 'status' in error ? Number(error.status) : 0
  if (status === 401 || status === 403) {
    return {
      kind: 'unauthorized',
      title: 'The service rejects the API key.',
      advice: 'Enter a valid key under “Connection” below. The start command prints one.',
    }
  }
  if (status === 402) {
    return {
      kind: 'budget',
      title: 'The compute units of the API key are used up.',
      advice: 'Add units to the key, or enter another one under “Connection” below.',
    }
  }
  if (status >= 500) {
    return {
      kind: 'service-down',
      title: 'The service reports an error.',
      advice: `${error.shortMessage} ${retryNotice}`,
    }
  }
  if (status === 400) {
    return { kind: 'other', title: error.shortMessage, advice: 'Check the chains and the link.' }
  }
  if (status === 404) {
    return {
      kind: 'other',
      title: error.shortMessage,
      advice: 'Check the link, and the API URL under “Connection” below.',
    }
  }
  return {
    kind: 'other',
    title: error.shortMessage,
    advice: error.isRetryable ? retryNotice : (error.advice ?? 'Try again later.'),
  }
}

function describeParameter(error: HeadwaterError): Problem {
  if ('parameter' in error && /address/i.test(String(error.parameter))) {
    return {
      kind: 'invalid-address',
      title: 'This is not an address.',
      advice:
        'An address is 0x followed by 40 hexadecimal digits. Check that it is complete, then try again.',
    }
  }
  return {
    kind: 'other',
    title: error.shortMessage,
    advice: 'Change it under “Connection” below.',
  }
}

function describeBudget(error: HeadwaterError): Problem {
  const wait = 'retryAfter' in error && typeof error.retryAfter === 'number' && error.retryAfter
  const seconds = wait && Math.ceil(wait / 1000)
  return {
    kind: 'budget',
    title: 'The budget of this page is spent.',
    advice: seconds
      ? `The page continues within ${seconds} s. To continue now, raise the budget under “Units”.`
      : 'To continue, raise the budget under “Units”.',
  }
}
