import { type OperationName, operations } from '@headwater/contract'
import {
  describeMissingChains,
  type JsonSchema,
  type MissingChains,
  operationSchemas,
  type ParsedRequest,
} from '@headwater/contract/schemas'
import { halfValid, unreadable } from '../faults/corrupt.ts'
import type { FaultBook } from '../faults/FaultBook.ts'
import type { Generator } from '../operations/Generator.ts'
import { generators } from '../operations/generators.ts'
import type { FakeChain } from '../world/FakeChain.ts'
import { hexOf } from '../world/hash.ts'
import type { World } from '../world/World.ts'
import { takePage } from './takePage.ts'

/** Operations with prices in their responses. */
const pricedOperations: ReadonlySet<OperationName> = new Set([
  'balances',
  'tokenBalance',
  'tokenInfo',
])

/**
 * Creates the body of a response, which contains only declared fields, and its entity tag, which does not depend on the time
 * of the request.
 */
export function createBody<Name extends OperationName>(
  name: Name,
  { parameters, chains }: ParsedRequest<Name, FakeChain>,
  {
    world,
    baseUrl,
    faults,
    available,
    missing,
  }: {
    readonly world: World
    readonly baseUrl: string
    readonly faults: FaultBook
    /** The chains that are part of the response. */
    readonly available: readonly FakeChain[]
    readonly missing: MissingChains
  },
): { readonly body: string; readonly tag: string } {
  // TypeScript does not index a mapped type by a type parameter.
  const { itemsField } = operations[name]
  const { rows, requestFields } = generators[name] as unknown as Generator<Name>
  const fields: Readonly<Record<string, JsonSchema>> = operationSchemas[name].response.properties
  const all = rows(parameters, { world, chains: available, baseUrl })
  const chainIds = chains.map(({ id }) => id)
  const page = takePage(all, name, parameters, chainIds, faults)
  let items = page.rows.map(({ item }) => item())

  const [first] = items
  const isUnread =
    first && itemsField === 'balances' && faults.take(name, 'unreadable') !== undefined
  if (isUnread) {
    items = items.slice(1)
  }
  if (items.length > 0 && faults.take(name, 'halfValid')) {
    items = halfValid(items, operationSchemas[name].item)
  }

  const { errors, warnings = [] } = describeMissingChains(missing)
  const warningFault = faults.take(name, 'warning')
  if (warningFault) {
    warnings.push(
      warningFault.fault.warning ?? { code: 'FAKE_WARNING', message: 'Fault of a test' },
    )
  }

  const depegged = pricedOperations.has(name)
    ? faults.takeChains(
        name,
        'depegged',
        available.map(({ id }) => id),
      )
    : []
  for (const { chainId, addresses } of depegged) {
    warnings.push({
      code: 'DEPEGGED',
      message: `Stablecoins of chain ${chainId} differ by more than 2 % from the others and are priced by their pools: ${addresses.join(', ')}`,
      chain_id: chainId,
      addresses: addresses.map((address) => address.toLowerCase()),
    })
  }

  const isNullable = [fields['next_offset']?.type].flat().includes('null')
  const body = JSON.stringify({
    ...requestFields(parameters),
    [itemsField]: items,
    ...((isUnread || errors) && { errors: { ...errors, ...(isUnread && unreadable(first)) } }),
    ...(warnings.length > 0 && { warnings }),
    ...(page.next !== undefined ? { next_offset: page.next } : isNullable && { next_offset: null }),
  })
  const time = JSON.stringify(new Date(world.now * 1000))
  const times = 'request_time' in fields ? `,"request_time":${time},"response_time":${time}` : ''
  return { body: `${body.slice(0, -1)}${times}}`, tag: `"${hexOf(body, 2)}"` }
}
