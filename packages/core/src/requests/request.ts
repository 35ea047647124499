import { type AnyOperation, buildUrl } from '@headwater/contract'
import type { AdmissionOptions } from '../budget/BudgetLimiter.ts'
import type { Client } from '../client/Client.ts'
import { requireClient, requireOptions } from '../client/requireClient.ts'
import { isDestroyedError } from '../errors/DestroyedError.ts'
import { isHeadwaterError } from '../errors/HeadwaterError.ts'
import { normalizeParameters, validateParameters } from './parameters.ts'
import { parseResponse } from './parseResponse.ts'
import { responseOrigins } from './responseOrigins.ts'

/**
 * Options of a single request.
 *
 * @example
 * import { createClient, getBalances, type RequestOptions } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const controller = new AbortController()
 * const options: RequestOptions = { signal: controller.signal }
 * const response = getBalances(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }, options)
 * controller.abort()
 */
export interface RequestOptions {
  /** Aborts the request; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Whether the request waits until the client's budget allows it, instead of failing. Default false. */
  readonly background?: boolean | undefined
}

/** Sends one request of an operation, bypassing the cache. */
export async function request<Parameters extends object, Response extends object, Item>(
  client: Client,
  operation: AnyOperation<Parameters, Response, Item>,
  input: Parameters,
  options: RequestOptions & AdmissionOptions = {},
): Promise<Response> {
  requireClient(client)
  requireOptions(options)
  const { transport, usageTracker, responseListeners, onError, streams } = client
  const invalid = validateParameters(operation, input)
  if (invalid) {
    throw invalid
  }
  const parameters = normalizeParameters(input)
  const admission = usageTracker.admit(operation, parameters, options)
  // Sends synchronously unless the budget defers the request.
  const charge = admission instanceof Promise ? await admission : admission
  const sentAt = Date.now()
  try {
    const pathAndQuery = buildUrl(operation, parameters)
    const { url, body, headers } = await transport.get(pathAndQuery, options.signal, charge)
    const receivedAt = Date.now()
    const response = parseResponse(operation, url, body)
    const blocks = headers
      .get('x-block-numbers')
      ?.split(',')
      .map((pair) => pair.split('=').map(Number) as [number, number])
    responseOrigins.set(response, { sentAt, blocks: new Map(blocks) })
    for (const listener of responseListeners) {
      listener({
        operation: operation.name,
        parameters,
        response,
        sentAt,
        receivedAt,
        headers,
      })
    }
    return response
  } catch (error) {
    charge.onError(error)
    if (isHeadwaterError(error)) {
      streams.errors.add(error)
      if (onError && !isDestroyedError(error)) {
        await onError(error)
      }
    }
    throw error
  }
}
