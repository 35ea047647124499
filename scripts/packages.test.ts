import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const readJson = (file: string) =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, unknown>

const published = readdirSync(path.join(root, 'packages'))
  .map((folder) => ({ folder, manifest: readJson(`packages/${folder}/package.json`) }))
  .filter(({ manifest }) => manifest.private !== true)

it('releases all published packages together', () => {
  const { fixed } = readJson('.changeset/config.json')
  expect((fixed as string[][]).flat().sort()).toEqual(
    published.map(({ manifest }) => manifest.name).sort(),
  )
})

it.each(published)('$folder has what npm displays, and only peers of wide ranges', (each) => {
  const { folder, manifest } = each
  const url = 'https://github.com/headwater-project/headwater'
  expect(manifest).toMatchObject({
    license: 'MIT',
    engines: readJson('package.json').engines,
    homepage: `${url}/tree/main/packages/${folder}#readme`,
    bugs: `${url}/issues`,
    repository: { type: 'git', url: `git+${url}.git`, directory: `packages/${folder}` },
    keywords: expect.arrayContaining(['ethereum']) as unknown,
    // `src`, as source maps and declaration maps refer to it.
    files: expect.arrayContaining(['dist', 'src']) as unknown,
  })
  const { dependencies = {}, peerDependencies = {} } = manifest as Record<string, object>
  expect(Object.keys(dependencies).filter((name) => !name.startsWith('@headwater/'))).toEqual([])
  for (const range of Object.values(peerDependencies)) {
    expect(range).toMatch(/^(\^|>=)/)
  }
})
