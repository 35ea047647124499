export {
  API_KEY_HEADER,
  CHANGES_HEADER,
  CHANGES_PATH,
  LOW_LIQUIDITY_USD,
  SPAM_LIQUIDITY_USD,
} from './constants.ts'
export type { ValidationError, Validator } from './createValidator.ts'
export * from './generated/types.ts'
export * from './generated/validators.ts'
export type { CountChains, Operation } from './Operation.ts'
export * from './operations.ts'
export { buildUrl } from './requests/buildUrl.ts'
export { wireName } from './wireName.ts'
