import { wireName } from '@headwater/contract'
import type { Context } from 'hono'
import type { ChainConfig } from '../config/Config.ts'
import { RefusalError } from '../operations/RefusalError.ts'
import type { AcceptedRequest, Registration } from '../operations/register.ts'
import { decodeParameters } from './decodeParameters.ts'
import { describeInvalid } from './describeInvalid.ts'
import type { Environment } from './Environment.ts'
import { refuseChainNames } from './refuseChainNames.ts'
import { type ResolvedChains, resolveChains } from './resolveChains.ts'

/**
 * Reads what a request asks of an operation, and of which chains.
 *
 * @throws {RefusalError} 400 naming the parameter that is wrong; 404 when the one chain of an operation is not served.
 */
export function readRequest(
  context: Context<Environment>,
  operation: Registration,
  configured: readonly ChainConfig[],
): AcceptedRequest & ResolvedChains {
  const query = new URL(context.req.url).searchParams
  const parameters = decodeParameters(operation, context.req.param(), query)
  const request = operation.accept(parameters)
  if ('error' in request) {
    if (operation.chains === 'one')
      for (const name of ['chainId', 'chainIds'])
        refuseChainNames([parameters[name]].flat(), wireName(name), configured)
    throw describeInvalid(request.error, operation.parameters)
  }
  const resolved = resolveChains(configured, request.chainIds)
  const [unsupported] = resolved.unsupportedChainIds
  if (operation.chains === 'one' && unsupported !== undefined)
    throw new RefusalError(404, 'CHAIN_NOT_SUPPORTED', `Chain ${unsupported} is not served here`, {
      param: wireName('chainId' in parameters ? 'chainId' : 'chainIds'),
    })
  return { ...request, ...resolved }
}
