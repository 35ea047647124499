import { NetworkError } from '../errors/NetworkError.ts'

/** What a request that is being sent will have cost. The first that is told counts. */
export interface Charge {
  /** The service answered, or refused. */
  readonly answered: (answer: Pick<Response, 'ok' | 'headers'>) => void
  /** No answer came. */
  readonly failed: (error: unknown) => void
}

/**
 * Makes the charge of a request.
 *
 * An answer costs what it says, else what was estimated; a refusal what it says, else nothing. A request that was given
 * up after it was sent (aborted, or out of time) counts as answered, since a service charges for the work whether or
 * not anybody waited for it. One that failed in the network counts nothing: mostly nothing arrived.
 *
 * @param settle - Called once, with the units and what is left of the quota, if that is known.
 */
export function createCharge(
  estimate: number,
  settle: (units: number, remaining: number | undefined, isExact: boolean) => void,
): Charge {
  let isSettled = false
  const end = (units: number, remaining?: number, isExact = false) => {
    if (isSettled) return
    isSettled = true
    settle(units, remaining, isExact)
  }
  return {
    answered({ ok, headers }) {
      const cost = read(headers, 'cost')
      end(cost ?? (ok ? estimate : 0), read(headers, 'remaining'), ok && cost !== undefined)
    },
    failed(error) {
      end(error instanceof NetworkError ? 0 : estimate)
    },
  }
}

function read(headers: Headers, name: string): number | undefined {
  const value = Number(headers.get(`x-compute-units-${name}`) || NaN)
  return value >= 0 && value < Infinity ? value : undefined
}
