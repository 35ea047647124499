import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

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

it.each(['api', 'node.example:4000', 'ftp://node.example'])('rejects the base URL %s', (url) => {
  const { status, stdout, stderr } = run('--base-url', url, '--dry-run')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain(
    `error: --base-url must be a path that begins with /, or a URL, got '${url}'`,
  )
})

it.each(['\r\n', '\n'])('keeps the line ends of a file: %j', (lineEnd) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'headwater-codemod-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'Count.jsx')
  const lines = (...text: string[]) => text.join(lineEnd)
  writeFileSync(
    file,
    lines(
      "import { useTokenBalances } from '@duneanalytics/hooks'",
      'export const useCount = (address) => {',
      '  const { data, isLoading } = useTokenBalances(address)',
      '  return isLoading ? `a',
      '  ` : data.balances.length',
      '}',
    ),
  )
  expect(run(folder).status).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(
    lines(
      "import { useBalances } from '@headwater/react'",
      'export const useCount = (address) => {',
      '  const { data, status, fetchStatus } = useBalances({ address })',
      "  const isLoading = status === 'pending' && fetchStatus !== 'idle'",
      '  return isLoading ? `a',
      '  ` : data.length',
      '}',
    ),
  )
})
