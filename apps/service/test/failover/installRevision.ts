import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')
/** The service, and what it depends on of this repository. */
const packages = ['packages/contract', 'apps/service']

/**
 * Packs the service of a revision as its release was packed, and installs it with npm, as by a user.
 *
 * @param revision - a tag or a commit of the repository.
 * @param folder - does not exist yet.
 * @returns the path of its program.
 */
export function installRevision(revision: string, folder: string): string {
  const source = join(folder, 'source')
  const app = join(folder, 'app')
  mkdirSync(source, { recursive: true })
  mkdirSync(app)
  const run = (cwd: string, command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  const archive = join(folder, 'source.tar')
  run(root, 'git', 'archive', '--output', archive, revision)
  run(folder, 'tar', '-xf', archive, '-C', source)
  run(source, 'pnpm', 'install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts')
  const tarballs = packages.map((name) => {
    const tarball = join(folder, `${name.replaceAll('/', '-')}.tgz`)
    run(join(source, name), 'pnpm', 'run', 'build')
    run(join(source, name), 'pnpm', 'pack', '--out', tarball)
    return tarball
  })
  run(app, 'npm', 'install', '--no-audit', '--no-fund', '--omit=dev', ...tarballs)
  return join(app, 'node_modules/@headwater/service/dist/main.js')
}
