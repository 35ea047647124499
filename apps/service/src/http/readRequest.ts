import {
  decodeParameters,
  readRequest as judge,
  type ResolvedChains,
} from '@headwater/contract/schemas'
import type { Context } from 'hono'
import type { ChainConfig } from '../config/Config.ts'
import type { AcceptedRequest, Registration } from '../operations/register.ts'
import type { Environment } from './Environment.ts'
import { isChainName } from './isChainName.ts'

/**
 * Reads what a request asks of an operation, and of which chains.
 *
 * @throws {InvalidRequestError} 400 naming the parameter that is wrong; 404 when the one chain of an operation is not served.
 */
export function readRequest(
  context: Context<Environment>,
  operation: Registration,
  configured: readonly ChainConfig[],
): AcceptedRequest & ResolvedChains<ChainConfig> {
  const query = new URL(context.req.url).searchParams
  const parameters = decodeParameters(operation, context.req.param(), query)
  const isName = (word: string) => isChainName(word, configured)
  return judge(operation, parameters, { served: configured, isName })
}
