import { describe, expect, inject, it } from 'vitest'
import { expectEqualToChain } from './equality.ts'

const stack = inject('stack')

describe('the printed curl line', () => {
  it('answers balances that equal the chain at the block of the answer', async () => {
    let compared = 0
    for (const { address } of stack.wallets) compared += await expectEqualToChain(stack, address)
    expect(compared).toBeGreaterThan(stack.wallets.length)
  })
})
