import { buildUrl, CHANGES_PATH, type OperationName, operations } from '@headwater/contract'
import {
  decodeParameters,
  findRoute,
  parseChangesRequest,
  parseParameters,
  type Route,
} from '@headwater/contract/schemas'
import { ProxyError } from './ProxyError.ts'
import type { Settings } from './ProxyOptions.ts'
import type { MaybePromise } from './rateLimit/RateLimit.ts'

/** Of logos of tokens and images of NFTs. Specification 2. */
const imagePaths = [
  /^\/beta\/token\/logo\/\d{1,16}(\/0x[\da-fA-F]{40})?$/,
  /^\/v1\/evm\/collectible\/image\/\d{1,16}\/0x[\da-fA-F]{40}\/\d{1,78}$/,
]

/** What a URL requests. The path is without the base path. */
export type Target =
  | { readonly kind: 'operation'; readonly route: Route }
  | { readonly kind: 'changes' }
  | { readonly kind: 'image'; readonly path: string }

/** @throws {ProxyError} 404 when the proxy does not serve the path. */
export function findTarget(
  { pathname }: URL,
  { basePath, operations: allowed, images, changes }: Settings,
): Target {
  if (pathname.startsWith(`${basePath}/`)) {
    const path = pathname.slice(basePath.length)
    const route = findRoute(path)
    if (route?.base === '') {
      if (allowed.has(route.operation)) {
        return { kind: 'operation', route }
      }
      const message = `The proxy does not serve ${route.operation}, which is not among its \`operations\``
      throw new ProxyError(404, 'NOT_FOUND', message)
    }
    if (changes && path === CHANGES_PATH) {
      return { kind: 'changes' }
    }
    if (images && imagePaths.some((pattern) => pattern.test(path))) {
      return { kind: 'image', path }
    }
  }
  throw new ProxyError(404, 'NOT_FOUND', 'The proxy does not serve this path')
}

type Authorize = (parameters: object, request: Request) => MaybePromise<boolean>

/**
 * Validates a request, and writes its path and query anew.
 *
 * @throws {InvalidRequestError} when a parameter is invalid.
 * @throws {ProxyError} 403 when the app does not permit the request.
 */
export async function writePath(
  target: Target,
  { searchParams }: URL,
  request: Request,
  settings: Settings,
): Promise<string> {
  if (target.kind === 'image') {
    return target.path
  }
  const { name, parameters, pathAndQuery } =
    target.kind === 'operation'
      ? parseOperation(target.route, searchParams)
      : parseChanges(searchParams)
  const authorize = settings.authorize as Partial<Record<typeof name, Authorize>>
  if (authorize[name] && !(await authorize[name](parameters, request))) {
    throw new ProxyError(403, 'NOT_PERMITTED', 'The app does not permit this request')
  }
  return pathAndQuery
}

function parseOperation({ operation: name, fromPath }: Route, query: URLSearchParams) {
  const decoded = decodeParameters(name, fromPath, query)
  const parameters = normalizeParameters(name, parseParameters(name, decoded))
  return { name, parameters, pathAndQuery: buildUrl(operations[name], parameters) }
}

/** Omits `include`: without responses in the events. */
function parseChanges(query: URLSearchParams) {
  const { include: _, ...subjects } = parseChangesRequest(query).parameters
  const lists = Object.entries(subjects).map(
    ([kind, list]) => [kind, list?.map((each) => each.toLowerCase())] as const,
  )
  return {
    name: 'changes' as const,
    parameters: Object.fromEntries(lists),
    pathAndQuery: `${CHANGES_PATH}?${lists.map(([kind, list]) => `${kind}=${list?.join()}`).join('&')}`,
  }
}

/** Equivalent requests become equal, and functions of the app compare addresses in lower case. */
function normalizeParameters(operation: OperationName, parameters: object): object {
  const { pagination } = operations[operation] as { pagination?: { limit: { maximum: number } } }
  const maximum = pagination?.limit.maximum ?? Infinity
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]: [string, unknown]) => [
      name,
      /address$/i.test(name)
        ? String(value).toLowerCase()
        : name === 'limit'
          ? Math.min(Number(value), maximum)
          : value,
    ]),
  )
}
