import type { ResolvedChains } from '@headwater/contract/schemas'
import type { Context, Handler } from 'hono'
import type { ChainConfig } from '../config/Config.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import type { SharedContext } from '../operations/Answer.ts'
import type { AcceptedRequest, Registration } from '../operations/register.ts'
import { readSnapshot } from '../operations/readSnapshot.ts'
import { RefusalError } from '../operations/RefusalError.ts'
import type { AnswerCache, PreparedAnswer } from './AnswerCache.ts'
import { authenticate } from './authenticate.ts'
import type { Gate } from './createGate.ts'
import type { Environment } from './Environment.ts'
import { header } from './headers.ts'
import { limitRate } from './limitRate.ts'
import { pathAndQuery } from './pathAndQuery.ts'
import { prepareBody } from './prepareBody.ts'
import { readRequest } from './readRequest.ts'
import { refuseStopped } from './refuseStopped.ts'
import { respondTagged } from './respondTagged.ts'
import type { Service } from './Service.ts'
import { setHeaders } from './setHeaders.ts'
import { unitHeaders } from './unitHeaders.ts'

/** What all operations of a service share. */
interface Shared {
  readonly access: KeyAccess
  readonly gate: Gate
  readonly cache: AnswerCache
  readonly load: () => Promise<SharedContext>
}

/**
 * Makes the handler of an operation: key, rate, parameters and chains, units, answer, in this order.
 *
 * An answer that was made is charged once, whether or not its client still waits for it: otherwise who hangs up early
 * would have the work done for nothing. What is refused or fails costs nothing.
 */
export function createOperationHandler(
  operation: Registration,
  { config, store, stoppedChains, metrics }: Service,
  { access, gate, cache, load }: Shared,
): Handler<Environment> {
  return async (context) => {
    context.set('operation', operation.name)
    const key = await authenticate(context, access)
    limitRate(context, access.limiter, key, config.defaultRate)
    const url = pathAndQuery(context.req.url)
    const cached = cache.find(url)
    const request = cached ?? readRequest(context, operation, config.chains)
    const { chains } = request
    refuseStopped(chains, stoppedChains)

    // A chain that is not supported is not answered, and costs nothing.
    const units = 'units' in request ? request.units : request.cost(chains.length)
    const charge = access.meter.reserve(key, units)
    if (!charge)
      throw new RefusalError(
        402,
        'UNITS_EXHAUSTED',
        `The request costs ${units} compute units, more than the API key has left`,
      )
    try {
      const make = async ({
        answer,
        unsupportedChainIds,
      }: AcceptedRequest & ResolvedChains<ChainConfig>) => {
        const { body, blocks, isWhole } = await answer({
          readStore: (read) => gate(() => readSnapshot(store.reader, read)),
          chains,
          unsupportedChainIds,
          receivedAt: context.get('receivedAt'),
          ...(await load()),
        })
        // What a node did not tell, it may tell the next time.
        return { body: prepareBody(body), blocks, isWhole: isWhole ?? true }
      }
      const answered =
        'units' in request
          ? request
          : await cache.make(url, { operation: operation.name, chains, units }, () => make(request))
      context.header(header.cost, String(units))
      setHeaders(context, unitHeaders(access.meter.remaining(key, units)))
      const response = respond(context, answered)
      charge.commit()
      metrics.charged(operation.name, units)
      return response
    } catch (error) {
      charge.release()
      setHeaders(context, unitHeaders(access.meter.remaining(key)))
      throw error
    }
  }
}

function respond(context: Context<Environment>, { body, blockNumbers }: PreparedAnswer): Response {
  if (blockNumbers !== undefined) context.header(header.blockNumbers, blockNumbers)
  return respondTagged(context, body)
}
