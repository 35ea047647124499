import { API_KEY_HEADER } from '@headwater/contract'
import type { Handler } from 'hono'
import type { AnswerContext } from '../operations/Answer.ts'
import type { Registration } from '../operations/register.ts'
import { checkKey } from './checkKey.ts'
import { decodeParameters } from './decodeParameters.ts'
import { describeInvalid } from './describeInvalid.ts'
import type { Environment } from './Environment.ts'
import { header } from './headers.ts'
import { refuseStopped } from './refuseStopped.ts'
import { resolveChains } from './resolveChains.ts'
import { respondTagged } from './respondTagged.ts'
import type { Service } from './Service.ts'

/** Makes the handler of an operation: key, parameters, chains, answer, headers, in this order. */
export function createOperationHandler(
  operation: Registration,
  { config, store, stoppedChains }: Service,
  shared: () => Promise<Pick<AnswerContext, 'cursors' | 'readNativeBalance' | 'headCache'>>,
): Handler<Environment> {
  return async (context) => {
    const key = await checkKey(store.db, context.req.header(API_KEY_HEADER))
    context.set('key', key)
    // The key's rate (429) and units (402) are to be judged here, before anything is decoded or read.

    const query = new URL(context.req.url).searchParams
    const parameters = decodeParameters(operation, context.req.param(), query)
    const request = operation.accept(parameters)
    if ('error' in request) throw describeInvalid(request.error, operation.parameters)
    const { chains, unsupportedChainIds } = await resolveChains(config.chains, request.chainIds)
    refuseStopped(chains, stoppedChains)

    const { body, blocks } = await request.answer({
      db: store.db,
      chains,
      unsupportedChainIds,
      receivedAt: context.get('receivedAt'),
      ...(await shared()),
    })
    // A chain that is not supported is not answered, and costs nothing.
    context.header(header.cost, String(request.cost(chains.length)))
    if (blocks.length > 0)
      context.header(
        header.blockNumbers,
        blocks.map(({ chainId, number }) => `${chainId}=${number}`).join(','),
      )
    return respondTagged(context, body)
  }
}
