import type { Client } from '../client/Client.ts'
import { buildRequest } from './buildRequest.ts'
import { findInvalidParameter } from './findInvalidParameter.ts'
import type { ClientOperation } from './ClientOperation.ts'
import { normalizeParameters } from './normalizeParameters.ts'
import { readAnswer } from './readAnswer.ts'

/**
 * Options of a single request.
 *
 * @example
 * import { createClient, getBalances, type GetOptions } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const controller = new AbortController()
 * const options: GetOptions = { signal: controller.signal }
 * const answer = getBalances(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' }, options)
 * controller.abort()
 */
export interface GetOptions {
  /** Aborts the request; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Whether it may wait until the client's budget has units to spare, rather than to fail. Default false. */
  readonly background?: boolean
}

/** Asks an operation once. */
export async function getOperation<Parameters extends object, Response extends object, Item>(
  { transport, ledger, listeners }: Client,
  operation: ClientOperation<Parameters, Response, Item>,
  given: Parameters,
  options: GetOptions = {},
): Promise<Response> {
  const invalid = findInvalidParameter(operation, given)
  if (invalid) throw invalid
  const { declaration } = operation
  const parameters = normalizeParameters(given)
  const admitted = ledger.admit(declaration, parameters, options)
  // Sent at once when it need not wait.
  const charge = admitted instanceof Promise ? await admitted : admitted
  const sentAt = Date.now()
  try {
    const request = buildRequest(declaration, parameters)
    const { url, body } = await transport.get(request, options.signal, charge.answered)
    const receivedAt = Date.now()
    const answer = readAnswer(operation, url, body)
    for (const tell of listeners) {
      tell({ operation: declaration.name, parameters, answer, sentAt, receivedAt })
    }
    return answer
  } catch (error) {
    charge.failed(error)
    throw error
  }
}
