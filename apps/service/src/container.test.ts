import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const service = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(service, name), 'utf8')
const dockerfile = read('Dockerfile')

describe('the container image', () => {
  it('runs the program of the package as headwater', () => {
    const [, target = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/headwater/.exec(dockerfile) ?? []
    expect(dockerfile).toContain('ENTRYPOINT ["headwater"]')
    expect(manifest.bin.headwater).toBe(`./${target}`)
  })

  it('builds every workspace package that the service depends on', () => {
    const workspace = Object.keys(manifest.dependencies).filter((name) =>
      name.startsWith('@headwater/'),
    )
    const [, built = ''] = /^RUN pnpm (.*) build/m.exec(dockerfile) ?? []
    expect(built.match(/@headwater\/\w+/g)?.sort()).toEqual([...workspace, manifest.name].sort())
  })

  it('is built from a context without dependencies, builds and secrets of this machine', () => {
    const ignored = read('Dockerfile.dockerignore').split('\n')
    expect(ignored).toEqual(
      expect.arrayContaining(['**/node_modules', '**/dist', '**/.env*', '.git']),
    )
  })

  it('is built by compose.yaml from the root of the repository', () => {
    const compose = read('compose.yaml')
    expect(compose).toContain('context: ../..')
    expect(compose).toContain('dockerfile: apps/service/Dockerfile')
  })

  it('is run with an init process, as process 1 ignores signals that it does not handle', () => {
    expect(read('compose.yaml')).toMatch(/^ {4}init: true$/m)
    const setup = readFileSync(join(service, '../../docs/site/service/setup.md'), 'utf8')
    expect(setup).toMatch(/^docker run .*--init/m)
  })
})

it('is published with the systemd unit and the alerts of its version', () => {
  expect(manifest.files).toEqual(expect.arrayContaining(['alerts.yaml', 'headwater.service']))
})
