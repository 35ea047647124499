// Packs the package of the working directory as a release does, and checks the tarball: what it contains, its README, its entry
// points (publint) and its types (Are the Types Wrong?).
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Manifest } from './publicPackages.ts'
import { findTarballErrors } from './tarball.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'headwater-package-'))
try {
  const tarball = path.join(folder, 'package.tgz')
  execFileSync('pnpm', ['pack', '--out', tarball], { stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync('tar', ['-xzf', tarball, '-C', folder])
  const data = readFileSync(tarball)
  const unpacked = path.join(folder, 'package')
  const files = new Map(
    readdirSync(unpacked, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(unpacked, file), readFileSync(file, 'utf8')]),
  )
  const manifest = JSON.parse(files.get('package.json') ?? '{}') as Pick<Manifest, 'exports'>
  const errors = [
    ...findTarballErrors(files, path.resolve(import.meta.dirname, '..')),
    ...(await findEntryErrors(data)),
    // Programs have none.
    ...('.' in (manifest.exports ?? {}) ? await findTypeErrors(data) : []),
  ]
  for (const error of errors) {
    console.error(error)
  }
  process.exitCode = errors.length > 0 ? 1 : 0
  console.log(`${files.size} files, ${Math.round(data.length / 1000)} kB.`)
} finally {
  rmSync(folder, { recursive: true })
}

async function findEntryErrors({ buffer, byteOffset, byteLength }: Buffer): Promise<string[]> {
  const tarball = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`)
}

async function findTypeErrors(data: Buffer): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(data))
  if (!analysis.types) {
    return ['attw: the package has no types']
  }
  // The packages are ES modules only: old resolutions do not find them.
  const ignored = ['node10', 'node16-cjs']
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem && ignored.includes(problem.resolutionKind)))
    .map((problem) => `attw: ${JSON.stringify(problem)}`)
}
