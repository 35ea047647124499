import { openApi, operations } from '@headwater/contract/schemas'
import { type Handler, Hono } from 'hono'
import manifest from '../../package.json' with { type: 'json' }
import { loadAuditFigures } from '../audit/loadAuditFigures.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import { type CollectibleKey, requestCollectibles } from '../metadata/requestCollectibles.ts'
import { serveMedia } from '../media/serveMedia.ts'
import { createChainReader } from '../operations/createChainReader.ts'
import { createCursors } from '../operations/createCursors.ts'
import { createHeadCache } from '../operations/createHeadCache.ts'
import { loadSharedSecret } from '../operations/loadSharedSecret.ts'
import { RefusalError } from '../operations/RefusalError.ts'
import { registrations } from '../operations/registrations.ts'
import { PriceMemory } from '../pricing/PriceMemory.ts'
import { allowEveryOrigin } from './allowEveryOrigin.ts'
import { AnswerCache } from './AnswerCache.ts'
import { answerFromCache } from './answerFromCache.ts'
import { checkReadiness } from './checkReadiness.ts'
import { chooseRequestId } from './chooseRequestId.ts'
import { type Capacity, createGate } from './createGate.ts'
import { createOperationHandler } from './createOperationHandler.ts'
import type { Environment } from './Environment.ts'
import { allowedMethods, header } from './headers.ts'
import { listSupportedChains } from './listSupportedChains.ts'
import { logRequest } from './logRequest.ts'
import { prepareBody } from './prepareBody.ts'
import { respondRefused } from './respondRefused.ts'
import { respondTagged } from './respondTagged.ts'
import type { Service } from './Service.ts'
import { shareReading } from './shareReading.ts'

/** Answers that read the store at once, more than it has connections; and those that wait, some seconds of work. */
const usualCapacity: Capacity = { working: 32, waiting: 1024 }
/** Longer than any request that makes sense. */
const MAXIMUM_URL_LENGTH = 8192

/** Makes the HTTP API. An unknown path is 404 and a wrong method 405 before anything else is looked at. */
export function createApp(
  service: Service,
  access: KeyAccess,
  capacity: Capacity = usualCapacity,
): Pick<Hono<Environment>, 'fetch'> {
  const { config, store, nodes, metrics, logger } = service
  const app = new Hono<Environment>()

  app.use(async (context, next) => {
    const requestId = chooseRequestId(context.req.header(header.requestId))
    context.set('requestId', requestId)
    context.set('receivedAt', new Date())
    context.header(header.requestId, requestId)
    context.header(header.cost, '0')
    if (context.req.method === 'OPTIONS') context.header('Allow', allowedMethods.join(', '))
    await next()
  })
  app.use(logRequest(logger, metrics))
  app.use(allowEveryOrigin)
  app.use(async (context, next) => {
    if (context.req.url.length > MAXIMUM_URL_LENGTH)
      throw new RefusalError(414, 'URL_TOO_LONG', 'The URL of the request is too long')
    await next()
  })

  const serve = (path: string, handler: Handler<Environment>) => {
    app.get(path, handler)
    app.all(path, (context) => {
      context.header('Allow', allowedMethods.join(', '))
      throw new RefusalError(
        405,
        'METHOD_NOT_ALLOWED',
        `${context.req.method} is not answered here`,
      )
    })
  }

  const chainReader = createChainReader(nodes)
  const headCache = createHeadCache()
  const priceMemory = new PriceMemory()
  const shared = {
    access,
    gate: createGate(capacity),
    cache: new AnswerCache(service.watch),
    load: once(async () => ({
      chainReader,
      headCache,
      priceMemory,
      links: service.media.links,
      requestCollectibles: (keys: readonly CollectibleKey[]) => {
        requestCollectibles(store.db, keys).catch((error: unknown) => {
          logger.warn({ err: error }, 'documents of NFTs could not be asked for')
        })
      },
      cursors: createCursors(await loadSharedSecret(store.db, 'cursors')),
    })),
  }
  for (const operation of service.role === 'index' ? [] : registrations)
    serve(
      operation.path.replace(/\{(\w+)\}/g, ':$1'),
      createOperationHandler(operation, service, shared),
    )

  if (service.role !== 'index') serveMedia(serve, service)

  const document = prepareBody(openApi(Object.values(operations), { version: manifest.version }))
  const chains = prepareBody(listSupportedChains(config.chains))
  serve('/openapi.json', (context) => respondTagged(context, document))
  serve('/v1/evm/supported-chains', (context) => respondTagged(context, chains))
  serve('/health', (context) => context.json({ status: 'ok' }))
  // They take no key: however many ask, the store is asked once a second.
  const readReadiness = shareReading(() => checkReadiness(service))
  const readAudits = shareReading(() => loadAuditFigures(store.reader))
  serve('/ready', async (context) => {
    const readiness = await readReadiness()
    if (!readiness.ready) context.header(header.retryAfter, '5')
    return context.json(readiness, readiness.ready ? 200 : 503)
  })

  serve('/metrics', async (context) => {
    // Without a store there is still much to tell, that it is away above all.
    const readiness = await readReadiness().catch(() => undefined)
    const audits = await readAudits().catch(() => undefined)
    const stats = [...nodes].map(([chainId, node]) => [chainId, node.stats()] as const)
    context.header('Content-Type', metrics.contentType)
    return context.body(await metrics.write(readiness?.chains, stats, audits))
  })

  app.notFound((context) =>
    respondRefused(context, new RefusalError(404, 'NOT_FOUND', 'There is no such path'), logger),
  )
  app.onError((error, context) => respondRefused(context, error, logger))
  return {
    fetch: (request, bindings, ...others) =>
      answerFromCache(request, bindings, service, shared) ??
      app.fetch(request, bindings, ...others),
  }
}

/** Does something once it is needed, and again only when it failed. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
