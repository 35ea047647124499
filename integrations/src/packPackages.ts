import { readFileSync } from 'node:fs'
import path from 'node:path'
import { bindingNames } from '../../scripts/bindings.ts'
import { root, run } from './run.ts'

const names = ['contract', 'core', ...bindingNames, 'testing', 'proxy'] as const

/** A public package. */
export type PackageName = (typeof names)[number]

/**
 * Builds and packs all public packages.
 *
 * @param folder - Folder for the tarballs.
 * @returns Path of each tarball.
 */
export async function packPackages(folder: string): Promise<Record<PackageName, string>> {
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8')
  const { packageManager } = JSON.parse(manifest) as { packageManager: string }
  const pnpm = (args: string[], where = root) =>
    run('npx', ['--yes', '--prefer-offline', packageManager, ...args], where)
  await pnpm(['exec', 'turbo', 'run', 'build', '--filter=./packages/*'])
  const packed = names.map(async (name) => {
    const tarball = path.join(folder, `${name}.tgz`)
    await pnpm(['pack', '--out', tarball], path.join(root, 'packages', name))
    return [name, tarball]
  })
  return Object.fromEntries(await Promise.all(packed)) as Record<PackageName, string>
}
