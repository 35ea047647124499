import { describe, expect, it } from 'vitest'
import { createCommand, portOptions, type StackOptions } from './options.ts'

function parse(...args: string[]): StackOptions {
  return createCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .parse(args, { from: 'user' })
    .opts()
}

describe('options of npm start', () => {
  it('have defaults', () => {
    expect(parse()).toEqual({
      apiPort: 4000,
      reactPort: 4001,
      vuePort: 4002,
      sveltePort: 4003,
      landingPort: 4004,
      devnetPort: 8545,
      devnetPort2: 8546,
      devnetPort3: 8547,
      data: '.headwater',
      longBlocks: 60_000,
      seed: 'headwater',
    })
  })

  it('set a folder, and each port by its flag', () => {
    expect(parse('--data', '/tmp/x').data).toBe('/tmp/x')
    for (const { key, flag } of portOptions) {
      expect(parse(flag, '5000')[key]).toBe(5000)
    }
  })

  it.each([
    ['--api-port', 'ten'],
    ['--vue-port', '0'],
    ['--devnet-port-2', '65536'],
    ['--react-port', '40.5'],
  ])('must be ports: %s %s', (flag, value) => {
    expect(() => parse(flag, value)).toThrow(
      new RegExp(`${flag} <port>.* It must be a port from 1 to 65535`),
    )
  })

  it('set the length of the third chain, which may be 0', () => {
    expect(parse('--long-blocks', '0').longBlocks).toBe(0)
    expect(() => parse('--long-blocks', '-1')).toThrow(/integer of at least 0/)
  })

  it('are rejected when unknown', () => {
    expect(() => parse('--prot', '1')).toThrow(/unknown option '--prot'/)
  })
})
