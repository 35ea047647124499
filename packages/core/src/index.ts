export { formatAmount, type FormatAmountOptions } from './amounts/formatAmount.ts'
export { totalValue } from './amounts/totalValue.ts'
export { balancesQueryOptions } from './balances/balancesQueryOptions.ts'
export { getBalances } from './balances/getBalances.ts'
export { watchBalances } from './balances/watchBalances.ts'
export type { Client, ClientOptions } from './client/Client.ts'
export { createClient } from './client/createClient.ts'
export { HeadwaterError, isHeadwaterError } from './errors/HeadwaterError.ts'
export { HttpError } from './errors/HttpError.ts'
export { InvalidParameterError } from './errors/InvalidParameterError.ts'
export { MalformedAnswerError } from './errors/MalformedAnswerError.ts'
export { NetworkError } from './errors/NetworkError.ts'
export { TimeoutError } from './errors/TimeoutError.ts'
export type { GetOptions } from './operation/getOperation.ts'
export type { OperationQueryOptions } from './operation/OperationQueryOptions.ts'
export type {
  ErrorSnapshot,
  PendingSnapshot,
  Snapshot,
  SuccessSnapshot,
} from './streams/Snapshot.ts'
export type { SnapshotStream } from './streams/SnapshotStream.ts'
export type { WatchOptions } from './streams/WatchOptions.ts'
export type {
  Balance,
  BalancesErrors,
  BalancesParameters,
  BalancesResponse,
  HistoricalPrice,
  TokenError,
  TokenMetadata,
  Warning,
} from '@headwater/contract'
