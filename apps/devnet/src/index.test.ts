import { expect, test } from 'vitest'
import * as devnet from './index.ts'

test('exports these names', () => {
  expect(Object.keys(devnet).sort()).toMatchInlineSnapshot(`
    [
      "DevnetChain",
      "DevnetError",
      "accounts",
      "compileContracts",
      "devnetOdd",
      "devnetOne",
      "devnetTwo",
      "emptyWallet",
      "findAnvil",
      "getAccount",
      "seededRandom",
      "startChain",
      "startDevnet",
      "weth9Bytecode",
    ]
  `)
})
