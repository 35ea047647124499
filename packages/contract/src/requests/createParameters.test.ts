import { expect, it } from 'vitest'
import { type OperationName, operations } from '../operations.ts'
import { createParameters } from './createParameters.ts'

const wallet = `0x${'a'.repeat(40)}`
const token = `0x${'b'.repeat(40)}`

it.each(Object.keys(operations) as OperationName[])('creates valid parameters of %s', (name) => {
  const { isParameters } = operations[name]
  expect(isParameters(createParameters(name, { wallet, token, chainId: 7 }))).toBe(true)
})

it('uses the wallet or the token as the address', () => {
  const subject = { wallet, token, chainId: 7 }
  expect(createParameters('balances', subject)).toEqual({ address: wallet, chainIds: [7] })
  expect(createParameters('tokenHolders', subject)).toEqual({ address: token, chainId: 7 })
  expect(createParameters('tokenBalance', subject)).toEqual({
    address: wallet,
    tokenAddress: token,
    chainIds: [7],
  })
})
