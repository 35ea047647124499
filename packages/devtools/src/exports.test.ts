import { expect, it } from 'vitest'
import * as entry from './index.ts'
import * as production from './production.ts'

it('has the same exports for development and for production', () => {
  expect(Object.keys(entry)).toEqual(['mountDevtools'])
  expect(Object.keys(production)).toEqual(['mountDevtools'])
})
