import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const service = join(import.meta.dirname, '..')
const root = join(service, '..', '..')
const read = (name: string) => readFileSync(join(service, name), 'utf8')
const dockerfile = read('Dockerfile')

/** The paths of the repository that are copied into the image. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
  ([, sources]) => sources?.split(' ') ?? [],
)

describe('the container image', () => {
  it.each(copied)('copies %s, which exists and is not ignored', (source) => {
    expect(existsSync(join(root, source))).toBe(true)
    // Lines with `!` are exceptions.
    expect(read('Dockerfile.dockerignore').split('\n')).toContain(`!${source}`)
  })

  it('contains every workspace package that the service depends on', () => {
    const workspace = Object.keys(manifest.dependencies).filter((name) =>
      name.startsWith('@headwater/'),
    )
    expect(workspace).toEqual(['@headwater/contract'])
    expect(copied).toContain('packages/contract/src')
  })

  it('runs main.ts as headwater', () => {
    const [, target = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/headwater/.exec(dockerfile) ?? []
    expect(dockerfile).toContain('ENTRYPOINT ["headwater"]')
    expect(statSync(join(root, target)).mode & 0o111).toBe(0o111)
    expect(readFileSync(join(root, target), 'utf8')).toMatch(
      /^#!\/usr\/bin\/env -S node --conditions=@headwater\/source\n/,
    )
  })

  it('does not contain tests', () => {
    const ignored = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => /^(apps|\*\*)/.test(line))
    const isIgnored = (file: string) =>
      ignored.some((line) => matchesGlob(file, line) || file.startsWith(`${line}/`))
    expect(isIgnored(relative(root, import.meta.filename))).toBe(true)
    expect(isIgnored('apps/service/src/main.ts')).toBe(false)
  })

  it('is built by compose.yaml from the root of the repository', () => {
    const compose = read('compose.yaml')
    expect(compose).toContain('context: ../..')
    expect(compose).toContain('dockerfile: apps/service/Dockerfile')
  })
})
