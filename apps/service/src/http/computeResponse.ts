import {
  type AnyOperation,
  type BalancesErrors,
  type OperationName,
  operations,
  type Warning,
} from '@headwater/contract'
import {
  describeMissingChains,
  type MissingChains,
  type ParsedRequest,
} from '@headwater/contract/schemas'
import type { ChainConfig } from '../config/Config.ts'
import type { Handler, HandlerContext, SharedContext } from '../operations/Handler.ts'
import { handlers } from '../operations/index.ts'
import type { Cursors } from '../operations/paging/createCursors.ts'
import type { BatchLanes } from '../queues/BatchLanes.ts'
import type { FairQueue } from '../queues/FairQueue.ts'
import { prepareBody } from './cache/prepareBody.ts'
import type { ComputedResponse } from './cache/ResponseCache.ts'
import { createStoreReader } from './createStoreReader.ts'
import type { Service } from './Service.ts'

/** What the computations of an app share, besides the service. */
export interface ComputingShared {
  /** Limits how many requests read a store at once, by store: a slow one must not block the others. */
  readonly readQueues: ReadonlyMap<unknown, FairQueue>
  readonly batchLanes: BatchLanes
  readonly context: Omit<SharedContext, 'cursors'>
  readonly loadCursors: () => Promise<Cursors>
}

/** Computes the response to a request by the handler of its operation. */
export async function computeResponse(
  name: OperationName,
  { parameters, chains, unsupportedChainIds }: ParsedRequest<OperationName, ChainConfig>,
  received: Pick<HandlerContext, 'receivedAt' | 'keyId' | 'signal'>,
  service: Service,
  { readQueues, batchLanes, context, loadCursors }: ComputingShared,
): Promise<ComputedResponse> {
  const handleOperation = handlers[name] as Handler<OperationName>
  const { cost } = operations[name] as Pick<AnyOperation, 'cost'>
  const { keyId, signal } = received
  const cursors = await loadCursors()
  const { body, requested, blocks, isComplete, dependencies } = await handleOperation(parameters, {
    ...context,
    ...received,
    cursors,
    ...createStoreReader(service, readQueues, chains, { keyId, signal, batchLanes }),
    chains,
    watch: service.watch,
  })
  const { heads } = requested
  const entries = Math.max(0, ...Object.values(body).map(getLength))
  return {
    body: await context.turns.run(keyId, entries, () =>
      prepareBody(addMissingChains(body, { unsupportedChainIds, ...requested })),
    ),
    units: cost(parameters as never, () => heads.size),
    requested,
    blocks: blocks ?? [...heads].map(([chainId, { number }]) => ({ chainId, number })),
    isComplete: isComplete ?? true,
    dependencies,
  }
}

function getLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

/** Adds the chains that are missing or outdated to the errors and warnings of a body. */
function addMissingChains(body: object, missing: MissingChains): object {
  const own: { readonly errors?: BalancesErrors; readonly warnings?: readonly Warning[] } = body
  const { errors, warnings } = describeMissingChains(missing)
  return {
    ...body,
    ...(errors && { errors: { ...errors, ...own.errors } }),
    ...(warnings && { warnings: [...warnings, ...(own.warnings ?? [])] }),
  }
}
