import type { JsonSchema } from '../JsonSchema.ts'

/** Address parameter, in any case. */
export const addressInput = {
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{40}$',
  patternText: '`0x` and 40 hex digits',
  description: 'Address: `0x` and 40 hex digits in any case.',
  examples: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
} as const satisfies JsonSchema

/** Address of a token contract, or `native` for the chain's native asset. */
export const addressOrNativeInput = {
  ...addressInput,
  pattern: '^(native|0x[0-9a-fA-F]{40})$',
  patternText: '`native`, or `0x` and 40 hex digits',
  examples: ['0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', 'native'],
} as const satisfies JsonSchema

/** Wallet address parameter. */
export const walletInput = {
  ...addressInput,
  description: 'Wallet address: `0x` and 40 hex digits in any case.',
} as const satisfies JsonSchema
