import { ApiError } from './ApiError.ts'

/** Nodes that are away are often back at the next block. */
const RETRY_AFTER_SECONDS = 5

/** The refusal when everything that is asked for must be read from nodes, and none of them tells it. */
export function nodesUnavailable(): ApiError {
  return new ApiError(503, 'NODES_UNAVAILABLE', 'No node of the chains asked for answers now', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
