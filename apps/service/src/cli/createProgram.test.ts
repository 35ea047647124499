import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeChain } from '../../test/FakeChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { loadConfig } from '../config/loadConfig.ts'
import { publishedSchema } from '../config/publishedSchema.ts'
import { createProgram } from './createProgram.ts'

const address = `0x${'af'.repeat(20)}`
const folder = mkdtempSync(join(tmpdir(), 'headwater-program-'))
afterAll(() => rmSync(folder, { recursive: true }))

const parse = (...command: string[]) => createProgram().parseAsync(command, { from: 'user' })

describe('createProgram', () => {
  it.each<[string, string[], RegExp]>([
    ['audit reset', ['--chain', 'ethereum', '--token', address], /^--chain must/],
    ['audit reset', ['--chain', '1', '--token', '0x12'], /^--token must/],
    ['chain status', ['--chain', 'ethereum'], /^--chain must/],
    ['chain reset', ['--chain', 'ethereum', '--yes'], /^--chain must/],
    ['chain rewind', ['--chain', '1', '--to', '-1', '--yes'], /^--to must/],
    // Without a terminal to confirm on.
    ['chain reset', ['--chain', '1'], /Add --yes/],
    ['chain rewind', ['--chain', '1', '--to', '5'], /Add --yes/],
    ['chain detach', ['--chain', '1'], /Add --yes/],
    ['chain import', ['--chain', '1', '--from', folder, '--memory', '1MB'], /^--memory must/],
    [
      'chain import',
      ['--chain', '1', '--from', folder, '--spill', join(folder, 'none')],
      /^--spill: no folder .*none \(ENOENT.*: name a folder/,
    ],
    ...['start', 'keys list', 'chain status'].map((command): [string, string[], RegExp] => [
      command,
      ['--data', join(folder, 'headwater.config.json/data')],
      /^The data folder .* cannot be used \(ENOTDIR.*: choose another with --data/,
    ]),
    // The parent exists, and no folder can be created in it.
    ['start', ['--data', '/proc/headwater'], /^The data folder .* cannot be used \(ENOENT/],
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

  it('ends an estimate that is interrupted', async () => {
    const node = await startFakeNode(new FakeChain())
    node.transformResult = (_, __, result) => {
      process.emit('SIGTERM')
      return result
    }
    const reason = 'Interrupted'
    await expect(parse('estimate', '--rpc', node.url)).rejects.toThrow(
      expect.objectContaining({ name: 'CommandError', message: reason }),
    )
  })

  it.each([
    [['start', '--rpc', 'http://127.0.0.1:1', '--config', 'x.json'], 'Give either --rpc or'],
    [['--rpc', 'node.example'], '--rpc must be a URL'],
    [['--config', join(folder, 'missing.json')], 'headwater init --rpc <url>'],
  ])('rejects %j', async (command, message) => {
    await expect(parse(...command)).rejects.toThrow(message)
  })

  it.each([
    ['start', 'bogus'],
    ['bogus', '--help'],
    ['chain', 'bogus', '--help'],
  ])('exits with an error for an unknown command: %s %s', async (...command) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit code ${code}`)
    })
    onTestFinished(() => {
      write.mockRestore()
      exit.mockRestore()
    })
    await expect(parse(...command)).rejects.toThrow('exit code 1')
    expect(write.mock.calls.join()).toContain("error: unknown command 'bogus'")
  })

  it('writes the configuration of a node, and does not replace a file', async () => {
    const node = await startFakeNode(new FakeChain())
    node.chainId = 8453
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    onTestFinished(() => write.mockRestore())
    const file = join(folder, 'written.json')
    const init = () => parse('init', '--rpc', node.url, '--config', file)
    await init()
    expect(write.mock.calls.join()).toContain('Base (8453)')
    expect(loadConfig(file, {}, {}).chains).toMatchObject([{ id: 8453, rpcUrls: [node.url] }])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await expect(init()).rejects.toThrow('exists already')
    const below = join(file, 'none.json')
    await expect(parse('init', '--rpc', node.url, '--config', below)).rejects.toThrow(
      /cannot be written \(ENOTDIR.*; name another file with --config$/,
    )
    await node.close()
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
