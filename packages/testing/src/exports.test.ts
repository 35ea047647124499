import { expect, it } from 'vitest'
import * as entry from './index.ts'
import * as msw from './msw.ts'
import * as node from './node.ts'

it('exports the public API', () => {
  const names = [entry, msw, node].map((module) => Object.keys(module).sort())
  expect(names).toEqual([['createFakeService', 'expectUnits'], ['createHandlers'], ['listen']])
})
