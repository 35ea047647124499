import { describe, expect, it } from 'vitest'
import { expectEqualToChain } from './expectEqualToChain.ts'
import { getStack } from './getStack.ts'

const stack = await getStack()

// Waits for the audit of the edge case tokens.
describe('the printed curl line', { timeout: 180_000 }, () => {
  it('returns balances that equal the chain at the block of the response', async () => {
    let compared = 0
    for (const { address } of stack.wallets) {
      compared += await expectEqualToChain(stack, address)
    }
    expect(compared).toBeGreaterThan(stack.wallets.length)
  })
})
