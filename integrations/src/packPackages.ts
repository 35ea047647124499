import { readFileSync } from 'node:fs'
import path from 'node:path'
import { publicPackages } from '../../scripts/publicPackages.ts'
import { root, run } from './run.ts'

/**
 * Builds and packs all public packages.
 *
 * @param folder - Folder for the tarballs.
 * @param others - Names of other packages to build.
 * @returns Path of each tarball, by the name of the package's folder, such as `core`.
 */
export async function packPackages(
  folder: string,
  others: readonly string[] = [],
): Promise<Record<string, string>> {
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8')
  const { packageManager } = JSON.parse(manifest) as { packageManager: string }
  const pnpm = (args: string[], where = root) =>
    run('npx', ['--yes', '--prefer-offline', packageManager, ...args], where)
  await pnpm([
    ...['exec', 'turbo', 'run', 'build'],
    ...[...publicPackages.map(({ manifest }) => manifest.name), ...others].map(
      (name) => `--filter=${name}`,
    ),
  ])
  const packed = publicPackages.map(async ({ folder: source }) => {
    const name = path.basename(source)
    const tarball = path.join(folder, `${name}.tgz`)
    await pnpm(['pack', '--out', tarball], path.join(root, source))
    return [name, tarball]
  })
  return Object.fromEntries(await Promise.all(packed)) as Record<string, string>
}
