import type { Client } from '../client/Client.ts'
import { buildRequest } from './buildRequest.ts'
import { checkParameters } from './checkParameters.ts'
import type { ClientOperation } from './ClientOperation.ts'
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
  const checked = checkParameters(operation, parameters)
  const { url, body } = await transport.get(buildRequest(operation.declaration, checked), signal)
  return readAnswer(operation, url, body)
}
