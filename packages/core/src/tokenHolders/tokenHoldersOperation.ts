import {
  isHolder,
  isTokenHoldersParameters,
  isTokenHoldersResponse,
  tokenHolders,
  type Holder,
  type TokenHoldersParameters,
  type TokenHoldersResponse,
} from '@headwater/contract'
import type { ListOperation } from '../operation/ClientOperation.ts'

/** The operation `tokenHolders` as a client needs it. */
export const tokenHoldersOperation: ListOperation<
  TokenHoldersParameters,
  TokenHoldersResponse,
  Holder
> = {
  declaration: tokenHolders,
  isParameters: isTokenHoldersParameters,
  isResponse: isTokenHoldersResponse,
  isItem: isHolder,
}
