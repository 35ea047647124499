// What the release workflow does, in a copy of the repository and without the upload: `changeset version` for the changesets
// that wait, then `pnpm publish`.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Manifest, publicPackages } from './publicPackages.ts'
import { root } from './stack/root.ts'

const { packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  packageManager: string
}

it('versions all public packages together, and publishes them with their licenses', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'headwater-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  copyRepository(folder)
  run('git', 'init', '--quiet')
  run('git', 'add', '--all')
  run(
    'git',
    '-c',
    'user.name=ci',
    '-c',
    'user.email=ci@localhost',
    'commit',
    '--quiet',
    '-m',
    'Copy',
  )

  const hasChangesets = readdirSync(path.join(folder, '.changeset')).some((file) =>
    file.endsWith('.md'),
  )
  run(process.execPath, path.join(root, 'node_modules/@changesets/cli/bin.js'), 'version')

  const names = publicPackages.map(({ manifest }) => manifest.name)
  const versions = publicPackages.map(
    ({ folder: each }) => readManifest(path.join(folder, each)).version,
  )
  expect(new Set(versions).size).toBe(1)
  const [version = ''] = versions
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  if (hasChangesets) {
    expect(version).not.toBe(publicPackages[0]!.manifest.version)
    for (const { folder: each } of publicPackages) {
      const changelog = readFileSync(path.join(folder, each, 'CHANGELOG.md'), 'utf8')
      expect(changelog, each).toContain(`## ${version}`)
    }
  }

  // With `--force`, it does not request from the registry which versions exist.
  const pnpm = ['--yes', '--prefer-offline', packageManager]
  const options = ['--recursive', '--dry-run', '--force', '--no-git-checks', '--json']
  const published = JSON.parse(run('npx', ...pnpm, 'publish', ...options)) as Published[]
  expect(published.map(({ id }) => id).sort()).toEqual(
    names.map((name) => `${name}@${version}`).sort(),
  )
  for (const { id, files } of published) {
    const paths = files.map((file) => file.path)
    expect(paths, id).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
  }
})

interface Published {
  readonly id: string
  readonly files: readonly { readonly path: string }[]
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest

/** Copies the manifests of the workspace, the changesets, and the public packages. */
function copyRepository(folder: string): void {
  const manifests = globSync('{packages,apps}/*/package.json', { cwd: root })
  const files = ['package.json', 'pnpm-workspace.yaml', 'LICENSE', '.changeset', ...manifests]
  const packages = publicPackages.flatMap(({ folder: each }) => [
    `${each}/README.md`,
    `${each}/src`,
  ])
  for (const file of [...files, ...packages]) {
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true })
  }
}
