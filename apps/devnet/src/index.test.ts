import { expect, test } from 'vitest'
import * as devnet from './index.ts'

test('exports these names', () => {
  expect(Object.keys(devnet).sort()).toMatchInlineSnapshot(`
    [
      "DevnetChain",
      "DevnetError",
      "actorNamed",
      "actors",
      "devnetOdd",
      "devnetOne",
      "devnetTwo",
      "emptyWallet",
      "seededRandom",
      "startChain",
      "startDevnet",
    ]
  `)
})
