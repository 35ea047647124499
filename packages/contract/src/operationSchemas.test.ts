import { describe, expect, it } from 'vitest'
import { operationSchemas } from './operationSchemas.ts'

describe.each(Object.entries(operationSchemas))('the parameters of %s', (_, { parameters }) => {
  const properties = Object.values(
    parameters.properties as Record<string, { type?: string; default?: unknown }>,
  )

  it('have the default false if they are boolean, so that clients may omit it', () => {
    const flags = properties.filter(({ type }) => type === 'boolean')
    expect(flags.map((each) => each.default)).toEqual(flags.map(() => false))
  })
})
