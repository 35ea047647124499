import type { Balance, BalancesResponse } from '../src/index.ts'

/** A wallet. */
export const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
/** Another wallet. */
export const otherAddress = '0x00000000219ab540356cbb839cbe05303d7705fa'

/** A different address for each number. */
export const numberedAddress = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

/** An entry of a balances response. */
export function balance(fields: Partial<Balance> = {}): Balance {
  return {
    chain: 'devnet',
    chain_id: 31337,
    address: 'native',
    amount: '1',
    decimals: 18,
    ...fields,
  }
}

/** A balances response. */
export function balancesResponse(...items: Balance[]): BalancesResponse {
  return { wallet_address: address, balances: items }
}
