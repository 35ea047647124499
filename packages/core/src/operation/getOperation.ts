import type { Client } from '../client/Client.ts'
import { buildRequest } from './buildRequest.ts'
import { findInvalidParameter } from './findInvalidParameter.ts'
import type { ClientOperation } from './ClientOperation.ts'
import { normalizeParameters } from './normalizeParameters.ts'
import { readAnswer } from './readAnswer.ts'

/** Options of a single request. */
export interface GetOptions {
  /** Aborts the request; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Asks an operation once. */
export async function getOperation<Parameters extends object, Response extends object, Item>(
  { transport }: Client,
  operation: ClientOperation<Parameters, Response, Item>,
  parameters: Parameters,
  { signal }: GetOptions = {},
): Promise<Response> {
  const invalid = findInvalidParameter(operation, parameters)
  if (invalid) throw invalid
  const request = buildRequest(operation.declaration, normalizeParameters(parameters))
  const { url, body } = await transport.get(request, signal)
  return readAnswer(operation, url, body)
}
