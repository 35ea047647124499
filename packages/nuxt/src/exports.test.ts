import { expect, it } from 'vitest'
import * as entry from './module.ts'

it('exports the module', async () => {
  expect(Object.keys(entry)).toEqual(['default'])
  expect(await entry.default.getMeta?.()).toMatchObject({ configKey: 'headwater' })
})
