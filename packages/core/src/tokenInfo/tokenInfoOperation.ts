import {
  isToken,
  isTokenInfoParameters,
  isTokenInfoResponse,
  tokenInfo,
  type Token,
  type TokenInfoParameters,
  type TokenInfoResponse,
} from '@headwater/contract'
import type { ClientOperation } from '../operation/ClientOperation.ts'

/** The operation `tokenInfo` as a client needs it. */
export const tokenInfoOperation: ClientOperation<TokenInfoParameters, TokenInfoResponse, Token> = {
  declaration: tokenInfo,
  isParameters: isTokenInfoParameters,
  isResponse: isTokenInfoResponse,
  isItem: isToken,
}
