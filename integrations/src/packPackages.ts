import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root, run } from './run.ts'

/** What an app may install of us. */
export type PackageName = 'contract' | 'core' | 'react' | 'vue' | 'svelte' | 'testing'

const names: PackageName[] = ['contract', 'core', 'react', 'vue', 'svelte', 'testing']

/**
 * Builds and packs all public packages, as they would be published.
 *
 * @param folder - Takes the tarballs.
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
