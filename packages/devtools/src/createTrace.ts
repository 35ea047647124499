import {
  getBudgetState,
  getKnownPrices,
  getPolls,
  getTabRole,
  type ObservedRequest,
} from '@headwater/core/inspect'
import { toJson } from './panel/formats.ts'
import type { Recorder } from './Recorder.ts'

/**
 * A trace of a client as JSON: its requests, cache events, and current state. Contains addresses and amounts, but no API key
 * and no header of a request. `null` replaces infinite numbers.
 */
export function createTrace({ client, requests, events, faults }: Recorder): string {
  const trace = {
    format: 'headwater-trace/1',
    createdAt: new Date().toISOString(),
    client: { baseUrl: client.baseUrl, scope: client.scope },
    usage: client.getUsage(),
    budget: getBudgetState(client),
    tab: getTabRole(client),
    faults: faults.settings,
    polls: getPolls(client).map(({ key: _, state, ...poll }) => ({
      ...poll,
      status: state.status,
      error: describeError(state.error),
      dataUpdatedAt: state.dataUpdatedAt,
    })),
    prices: getKnownPrices(client).map((price) => ({
      ...price,
      error: describeError(price.error),
    })),
    requests: [...requests.values()].map(toTraceRequest),
    events,
  }
  return toJson(trace)
}

function toTraceRequest({ headers, error, ...request }: ObservedRequest): object {
  return { ...request, headers: Object.fromEntries(headers), error: describeError(error) }
}

/** Errors have no enumerable message. */
function describeError(error: unknown): object | undefined {
  if (error === undefined || error === null) {
    return undefined
  }
  const { name, message, status, code, requestId } = error as Partial<
    Error & { status: number; code: string; requestId: string }
  >
  return { name, message: message ?? String(error), status, code, requestId }
}
