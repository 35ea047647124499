import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'headwater-codemod-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('migrates the source files of the given folders and files, whatever their names, once', () => {
  const folder = createFolder()
  const text = "import { useTokenBalances } from '@duneanalytics/hooks'\n"
  const paths = ['app/[wallet]/(tabs)/page.tsx', 'app/[wallet]/use.mts', 'lib/a.cjs', '{x}.js']
  const others = [
    'app/node_modules/a/index.js',
    'app/.next/page.js',
    'app/dist/page.js',
    'README.md',
  ]
  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), content)
  }
  for (const file of [...paths, ...others]) {
    write(file, text)
  }
  write('app/other.ts', 'export const a = 1')
  symlinkSync(folder, path.join(folder, 'app/loop'))
  const given = ['app', 'app/[wallet]/(tabs)', 'app/[wallet]/use.mts', 'lib', '{x}.js']
  const absolute = given.map((each) => path.join(folder, each))

  const report = run(...absolute, '--dry-run')
  expect(report.stdout).toContain('\n4 of 5 files migrated, 0 notes.\n')
  expect(report.stdout).not.toContain('Next')
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
  expect(read('{x}.js')).toBe(text)

  expect(run(...absolute).stdout).toContain(
    '\n4 of 5 files migrated, 0 notes.\nNext: npm uninstall',
  )
  expect(paths.map(read)).toEqual(paths.map(() => '\n'))
  expect(others.map(read)).toEqual(others.map(() => text))
})

it.each(['\r\n', '\n'])('keeps the line ends of a file: %j', (lineEnd) => {
  const folder = createFolder()
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
