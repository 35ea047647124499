import { wireName } from '@headwater/contract'
import type { FakeOperation, AcceptedRequest } from '../operations/FakeOperation.ts'
import type { FakeChain } from '../world/FakeChain.ts'
import { describeInvalid } from './describeInvalid.ts'
import { RefusalError } from './RefusalError.ts'
import { refuseChainNames, resolveChains, type ResolvedChains } from './resolveChains.ts'

/**
 * Judges what a request asks of an operation, and finds the chains.
 *
 * @throws {RefusalError} 400 naming the parameter that is wrong; 404 when the one chain of an operation is not there.
 */
export function readRequest(
  operation: FakeOperation,
  parameters: Readonly<Record<string, unknown>>,
  known: readonly FakeChain[],
): AcceptedRequest & ResolvedChains {
  const request = operation.accept(parameters)
  if ('error' in request) {
    if (operation.chains === 'one')
      for (const name of ['chainId', 'chainIds'])
        refuseChainNames(known, [parameters[name]].flat(), wireName(name))
    throw describeInvalid(request.error, operation.schema.parameters)
  }
  const resolved = resolveChains(known, request.chainIds)
  const [unsupported] = resolved.unsupportedChainIds
  if (operation.chains === 'one' && unsupported !== undefined)
    throw new RefusalError(404, 'CHAIN_NOT_SUPPORTED', `Chain ${unsupported} is not served here`, {
      param: wireName('chainId' in parameters ? 'chainId' : 'chainIds'),
    })
  return { ...request, ...resolved }
}
