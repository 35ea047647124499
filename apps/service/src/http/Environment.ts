import type { IncomingMessage } from 'node:http'
import type { OperationName } from '@headwater/contract'
import type { ParsedRequest } from '@headwater/contract/schemas'
import type { ChainConfig } from '../config/Config.ts'
import type { Key } from '../keys/Key.ts'
import type { CachedResponse } from './cache/ResponseCache.ts'

/** The context of a request. The steps of the pipeline set its variables, in this order. */
export interface Environment {
  /** The request as the HTTP server of Node.js parsed it. */
  Bindings: { readonly incoming?: Pick<IncomingMessage, 'headers'> }
  Variables: {
    requestId: string
    receivedAt: Date
    /** Headers of the response, which the steps add to. */
    headers: Record<string, string>
    operation: OperationName
    key: Key
    /** The parsed request, or the cached response to it. */
    request: ParsedRequest<OperationName, ChainConfig> | CachedResponse
  }
}
