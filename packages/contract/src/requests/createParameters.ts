import { walletInput } from '../fragments/address.ts'
import type { OperationName, ParametersOf } from '../operations.ts'
import { operationSchemas } from '../operationSchemas.ts'

/** What a request of any operation is about. */
export interface RequestSubject {
  readonly wallet: string
  /** A token contract; `native` only for operations that accept it. */
  readonly token: string
  readonly chainId: number
}

/**
 * Parameters of an operation for a wallet or a token of one chain, for programs that call every operation. Optional
 * parameters other than the chain are absent.
 *
 * @param name - The operation.
 * @param subject - The wallet, the token and their chain. An operation uses those that it has parameters for.
 * @returns Valid parameters.
 * @throws {Error} when the operation requires another parameter.
 * @example
 * import { createParameters } from '@headwater/contract/schemas'
 * const wallet = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 * createParameters('tokenBalance', { wallet, token: 'native', chainId: 1 })
 */
export function createParameters<Name extends OperationName>(
  name: Name,
  { wallet, token, chainId }: RequestSubject,
): ParametersOf<Name> {
  const { properties, required } = operationSchemas[name].parameters
  const values: Readonly<Record<string, unknown>> = {
    address: properties.address === walletInput ? wallet : token,
    tokenAddress: token,
    chainId,
    chainIds: [chainId],
  }
  const missing = required.find((parameter) => !(parameter in values))
  if (missing !== undefined) {
    throw new Error(`The parameter ${missing} of ${name} has no value.`)
  }
  return Object.fromEntries(
    Object.entries(values).filter(([parameter]) => parameter in properties),
  ) as unknown as ParametersOf<Name>
}
