import type { Context, Handler } from 'hono'
import type { OperationName } from '@headwater/contract'
import { decodeParameters, type ParsedRequest, parseRequest } from '@headwater/contract/schemas'
import type { ChainConfig } from '../../config/Config.ts'
import type { KeyAccess } from '../../keys/KeyAccess.ts'
import { ApiError } from '../../operations/ApiError.ts'
import type { Handler as OperationHandler, SharedContext } from '../../operations/Handler.ts'
import { handlers } from '../../operations/index.ts'
import { readSnapshot } from '../../operations/readSnapshot.ts'
import { prepareBody } from '../cache/prepareBody.ts'
import { respondTagged } from '../cache/respondTagged.ts'
import type { PreparedResponse, ResponseCache } from '../cache/ResponseCache.ts'
import type { Limiter } from '../createLimiter.ts'
import type { Environment } from '../Environment.ts'
import { header } from '../headers.ts'
import { authenticate } from '../middleware/authenticate.ts'
import { rateLimit } from '../middleware/rateLimit.ts'
import { rejectStopped } from '../middleware/rejectStopped.ts'
import { setHeaders } from '../middleware/setHeaders.ts'
import { unitHeaders } from '../middleware/unitHeaders.ts'
import type { Service } from '../Service.ts'
import { isChainName } from './isChainName.ts'
import { pathAndQuery } from './pathAndQuery.ts'

/** What all operations of a service share. */
interface Shared {
  readonly access: KeyAccess
  readonly gate: Limiter
  readonly cache: ResponseCache
  readonly load: () => Promise<SharedContext>
}

/**
 * Makes the handler of an operation: key, rate, parameters and chains, units, answer, in this order.
 *
 * An answer that was made is charged once, whether or not its client still waits for it: otherwise who hangs up early
 * would have the work done for nothing. What is refused or fails costs nothing.
 */
export function createOperationHandler<Name extends OperationName>(
  name: Name,
  { config, store, stoppedChains, metrics }: Service,
  { access, gate, cache, load }: Shared,
): Handler<Environment> {
  // TypeScript does not index a mapped type by a type parameter.
  const handle = handlers[name] as unknown as OperationHandler<Name>
  const parse = (context: Context<Environment>) => {
    const query = new URL(context.req.url).searchParams
    return parseRequest(name, decodeParameters(name, context.req.param(), query), {
      chains: config.chains,
      isChainName: (word) => isChainName(word, config.chains),
    })
  }
  return async (context) => {
    context.set('operation', name)
    const key = await authenticate(context, access)
    rateLimit(context, access.limiter, key, config.defaultRate)
    const url = pathAndQuery(context.req.url)
    const cached = cache.find(url)
    const request = cached ?? parse(context)
    const { chains, units } = request
    rejectStopped(chains, stoppedChains)

    // A chain that is not supported is not answered, and costs nothing.
    const charge = access.meter.reserve(key, units)
    if (!charge) {
      throw new ApiError(
        402,
        'UNITS_EXHAUSTED',
        `The request costs ${units} compute units, more than the API key has left`,
      )
    }
    try {
      const make = async ({
        parameters,
        unsupportedChainIds,
      }: ParsedRequest<Name, ChainConfig>) => {
        const { body, blocks, isWhole } = await handle(parameters, {
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
        'parameters' in request
          ? await cache.make(url, { operation: name, chains, units }, () => make(request))
          : request
      context.header(header.cost, String(units))
      setHeaders(context, unitHeaders(access.meter.remaining(key, units)))
      const response = respond(context, answered)
      charge.commit()
      metrics.charged(name, units)
      return response
    } catch (error) {
      charge.release()
      setHeaders(context, unitHeaders(access.meter.remaining(key)))
      throw error
    }
  }
}

function respond(
  context: Context<Environment>,
  { body, blockNumbers }: PreparedResponse,
): Response {
  if (blockNumbers !== undefined) {
    context.header(header.blockNumbers, blockNumbers)
  }
  return respondTagged(context, body)
}
