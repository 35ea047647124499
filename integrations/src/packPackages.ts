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
  const pnpm = (args: string[]) =>
    run('npx', ['--yes', '--prefer-offline', packageManager, ...args], root)
  const names = publicPackages.map(({ manifest }) => manifest.name)
  await pnpm([
    ...['exec', 'turbo', 'run', 'build'],
    ...[...names, ...others].map((name) => `--filter=${name}`),
  ])
  await pnpm([
    ...['--recursive', ...names.map((name) => `--filter=${name}`)],
    ...['pack', '--out', path.join(folder, '%s.tgz')],
  ])
  return Object.fromEntries(
    publicPackages.map(({ folder: source, manifest: { name } }) => [
      path.basename(source),
      path.join(folder, `${name.replace(/^@/, '').replace('/', '-')}.tgz`),
    ]),
  )
}
