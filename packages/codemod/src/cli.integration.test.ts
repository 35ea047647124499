import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const cli = path.join(import.meta.dirname, 'cli.ts')

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['--conditions=@headwater/source', cli, ...args], {
    encoding: 'utf8',
  })

it.each(['--help', '-h'])('prints its options with %s', (option) => {
  const { status, stdout } = run(option)
  expect(status).toBe(0)
  expect(stdout).toMatch(/^Usage: headwater-codemod .*--base-url <url>.*--dry-run/s)
})

it('names an unknown option', () => {
  const { status, stdout, stderr } = run('--dryrun')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^error: Unknown option '--dryrun'.*\n\nUsage: /)
})
