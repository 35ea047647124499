/**
 * JSON Schemas, OpenAPI and request parsing, for programs that serve, fake or document the API. A separate entry point, as
 * clients only need the validators of the main one.
 */
export {
  type ChangesSubjects,
  parseChangesRequest,
  parseWait,
} from './changes/parseChangesRequest.ts'
export { changesSchemas } from './changes/schema.ts'
export {
  type ChainFault,
  describeMissingChains,
  describeUnavailableChains,
  type MissingChains,
} from './describeChains.ts'
export { describeSupportedChains } from './describeSupportedChains.ts'
export type { JsonSchema, ObjectSchema, OperationSchemas } from './JsonSchema.ts'
export { openApi } from './openApi.ts'
export { responseHeaders } from './openApiHeaders.ts'
export { operationSchemas } from './operationSchemas.ts'
export { createParameters, type RequestSubject } from './requests/createParameters.ts'
export { decodeParameters } from './requests/decodeParameters.ts'
export { findRoute, type Route } from './requests/findRoute.ts'
export { InvalidRequestError } from './requests/InvalidRequestError.ts'
export {
  type ParsedRequest,
  parseParameters,
  parseRequest,
  resolveChains,
} from './requests/parseRequest.ts'
