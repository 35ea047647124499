import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OperationName } from '@headwater/contract'
import type { ParsedRequest } from '@headwater/contract/schemas'
import type { ChainConfig } from '../config/Config.ts'
import type { ApiKey } from '../keys/ApiKey.ts'
import type { PreparedResponse } from './cache/ResponseCache.ts'

/** The types of Hono's context. The middleware of the pipeline sets the variables, in this order. */
export interface HonoEnv {
  Bindings: {
    /** The request as the HTTP server of Node.js parsed it. */
    readonly incoming?: Pick<IncomingMessage, 'headers' | 'socket'>
    /** Its response. */
    readonly outgoing?: Pick<ServerResponse, 'writeHead' | 'write' | 'end'>
  }
  Variables: {
    requestId: string
    receivedAt: Date
    /** Headers of the response, which the middleware adds to. */
    headers: Record<string, string>
    operation: OperationName | 'changes'
    apiKey: ApiKey
    /** The parsed request, or the cached response to it. */
    request: ParsedRequest<OperationName, ChainConfig> | PreparedResponse
    /** The compute units that the response costs. */
    units: number
  }
}
