import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { publishedSchema } from '../config/publishedSchema.ts'
import { createProgram } from './createProgram.ts'

const address = `0x${'af'.repeat(20)}`
const folder = mkdtempSync(join(tmpdir(), 'headwater-program-'))
afterAll(() => rmSync(folder, { recursive: true }))

const parse = (...command: string[]) => createProgram().parseAsync(command, { from: 'user' })

describe('createProgram', () => {
  it.each([
    ['audit reset', ['--chain', 'ethereum', '--token', address], /^--chain must/],
    ['audit reset', ['--chain', '1', '--token', '0x12'], /^--token must/],
    ['chain status', ['--chain', 'ethereum'], /^--chain must/],
    ['chain reset', ['--chain', 'ethereum', '--yes'], /^--chain must/],
    ['chain rewind', ['--chain', '1', '--to', '-1', '--yes'], /^--to must/],
    // Without a terminal to confirm on.
    ['chain reset', ['--chain', '1'], /Add --yes/],
    ['chain rewind', ['--chain', '1', '--to', '5'], /Add --yes/],
    ['chain detach', ['--chain', '1'], /Add --yes/],
    ['metadata refetch', ['--chain', 'ethereum', '--contract', address], /^--chain must/],
    ['metadata refetch', ['--chain', '1', '--contract', '0x12'], /^--contract must/],
    [
      'metadata refetch',
      ['--chain', '1', '--contract', address, '--token-id', '1.5'],
      /^--token-id must/,
    ],
  ])('rejects %s %j', async (command, options, message) => {
    const file = join(folder, 'headwater.config.json')
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const chain = { id: 1, name: 'one', rpcUrls: ['http://127.0.0.1:1'], nativeCurrency }
    writeFileSync(file, JSON.stringify({ chains: [chain] }))
    await expect(parse(...command.split(' '), '--config', file, ...options)).rejects.toThrow(
      message,
    )
  })

  it('prints the published schema', async () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    onTestFinished(() => write.mockRestore())
    await parse('config-schema')
    expect(JSON.parse(String(write.mock.calls[0]?.[0]))).toEqual(
      JSON.parse(JSON.stringify(publishedSchema())),
    )
  })
})
