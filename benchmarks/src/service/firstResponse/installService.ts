import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
/** The service, and what it depends on of this repository. */
const packages = ['packages/contract', 'apps/service']

/** The packed service, installed as by a user. */
export interface InstalledService {
  readonly main: string
  /** An empty home folder. */
  readonly home: string
  readonly megabytes: number
  readonly seconds: number
}

/** Packs the service as a release does, and installs it with npm in an empty folder with an empty home folder. */
export function installService(folder: string): InstalledService {
  const home = join(folder, 'home')
  const app = join(folder, 'app')
  mkdirSync(home)
  mkdirSync(app)
  const tarballs = packages.map((name) => {
    const tarball = join(folder, `${name.replaceAll('/', '-')}.tgz`)
    const options = { cwd: join(root, name), stdio: 'ignore' } as const
    execFileSync('pnpm', ['run', 'build'], options)
    execFileSync('pnpm', ['pack', '--out', tarball], options)
    return tarball
  })
  const startedAt = performance.now()
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', ...tarballs], {
    cwd: app,
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const seconds = (performance.now() - startedAt) / 1000
  const [kilobytes] = execFileSync('du', ['-sk', 'node_modules'], { cwd: app })
    .toString()
    .split('\t')
  return {
    home,
    seconds,
    megabytes: Number(kilobytes) / 1024,
    main: join(app, 'node_modules/@headwater/service/dist/main.js'),
  }
}
