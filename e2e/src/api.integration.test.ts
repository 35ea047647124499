import { describe, expect, it } from 'vitest'
import { expectEqualToChain } from './equality.ts'
import { useStack } from './useStack.ts'

const stack = await useStack()

// The audit of the odd tokens is waited for.
describe('the printed curl line', { timeout: 180_000 }, () => {
  it('answers balances that equal the chain at the block of the answer', async () => {
    let compared = 0
    for (const { address } of stack.wallets) {
      compared += await expectEqualToChain(stack, address)
    }
    expect(compared).toBeGreaterThan(stack.wallets.length)
  })
})
