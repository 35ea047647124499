import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const service = join(import.meta.dirname, '..')
const root = join(service, '..', '..')
const read = (name: string) => readFileSync(join(service, name), 'utf8')
const dockerfile = read('Dockerfile')

/** What is copied into the image out of the repository, from its root. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
  ([, sources]) => sources?.split(' ') ?? [],
)

describe('the container image', () => {
  it.each(copied)('is made of %s, which is there and not ignored', (source) => {
    expect(existsSync(join(root, source))).toBe(true)
    // Of all that is ignored, the lines with `!` are not.
    expect(read('Dockerfile.dockerignore').split('\n')).toContain(`!${source}`)
  })

  it('has every package of ours that the service needs', () => {
    const ours = Object.keys(manifest.dependencies).filter((name) => name.startsWith('@headwater/'))
    expect(ours).toEqual(['@headwater/contract'])
    expect(copied).toContain('packages/contract/src')
  })

  it('is run by the file that the name headwater leads to', () => {
    const [, target = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/headwater/.exec(dockerfile) ?? []
    expect(dockerfile).toContain('ENTRYPOINT ["headwater"]')
    expect(statSync(join(root, target)).mode & 0o111).toBe(0o111)
    expect(readFileSync(join(root, target), 'utf8')).toMatch(
      /^#!\/usr\/bin\/env -S node --conditions=@headwater\/source\n/,
    )
  })

  it('lacks what only tests need', () => {
    const ignored = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => /^(apps|\*\*)/.test(line))
    const isIgnored = (file: string) =>
      ignored.some((line) => matchesGlob(file, line) || file.startsWith(`${line}/`))
    expect(isIgnored(relative(root, import.meta.filename))).toBe(true)
    expect(isIgnored('apps/service/src/main.ts')).toBe(false)
  })

  it('is composed with the file that the build needs', () => {
    const compose = read('compose.yaml')
    expect(compose).toContain('context: ../..')
    expect(compose).toContain('dockerfile: apps/service/Dockerfile')
  })
})
