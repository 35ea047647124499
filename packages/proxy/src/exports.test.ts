import { expect, it } from 'vitest'
import * as entry from './index.ts'

it('exports the public API', () => {
  expect(Object.keys(entry).sort()).toEqual(['createMemoryStore', 'createProxy'])
})
