import { describe, expect, it } from 'vitest'
import { readOptions } from './options.ts'

describe('readOptions', () => {
  it('has a default for everything', () => {
    expect(readOptions([])).toEqual({
      apiPort: 4000,
      reactPort: 4001,
      vuePort: 4002,
      sveltePort: 4003,
      landingPort: 4004,
      devnetPort: 8545,
      devnetPort2: 8546,
      data: '.headwater',
      seed: 'headwater',
    })
  })

  it('takes what it is told', () => {
    expect(readOptions(['--api-port', '5000', '--data', '/tmp/x'])).toMatchObject({
      apiPort: 5000,
      data: '/tmp/x',
    })
  })

  it.each([
    ['--api-port', 'ten'],
    ['--vue-port', '0'],
    ['--devnet-port-2', '65536'],
    ['--react-port', '40.5'],
  ])('names the option that is wrong: %s %s', (option, value) => {
    expect(() => readOptions([option, value])).toThrow(`${option} takes a port`)
  })

  it('refuse what it does not know, and says where help is', () => {
    expect(() => readOptions(['--prot', '1'])).toThrow(/--prot.*--help/s)
  })

  it('helps', () => {
    expect(readOptions(['--help'])).toContain('Usage: npm start')
  })
})
