import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { publicPackages } from './publicPackages.ts'
import { root } from './stack/root.ts'

const readJson = (file: string) =>
  JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, unknown>

it('releases all published packages together', () => {
  const { fixed } = readJson('.changeset/config.json')
  expect((fixed as string[][]).flat().sort()).toEqual(
    publicPackages.map(({ manifest }) => manifest.name).sort(),
  )
})

it.each(publicPackages)('$folder has what a release needs', ({ folder, manifest }) => {
  const url = 'https://github.com/headwater-project/headwater'
  expect(manifest).toMatchObject({
    license: 'MIT',
    homepage: `${url}/tree/main/${folder}#readme`,
    bugs: `${url}/issues`,
    repository: { type: 'git', url: `git+${url}.git`, directory: folder },
    keywords: expect.arrayContaining(['ethereum']) as unknown,
    files: expect.arrayContaining(['dist']) as unknown,
    publishConfig: { access: 'public', provenance: true },
    scripts: { 'check:package': 'node ../../scripts/checkPackage.ts' },
  })
})

const libraries = publicPackages.filter(({ manifest }) => '.' in (manifest.exports ?? {}))

/** What is installed with a library besides packages of this repository. */
const installed: Readonly<Record<string, readonly string[]>> = {
  // Loaded on demand, when the service pushes changes.
  'packages/core': ['eventsource-parser'],
  'packages/nuxt': ['@nuxt/kit', '@nuxt/schema'],
}

it.each(libraries)('$folder, a library, has only peers of wide ranges', ({ folder, manifest }) => {
  expect(manifest).toMatchObject({
    engines: readJson('package.json').engines,
    // `src`, as source maps and declaration maps refer to it.
    files: expect.arrayContaining(['dist', 'src']) as unknown,
  })
  const { dependencies = {}, peerDependencies = {} } = manifest
  const others = Object.keys(dependencies).filter((name) => !name.startsWith('@headwater/'))
  expect(others).toEqual(installed[folder] ?? [])
  for (const range of Object.values(peerDependencies)) {
    expect(range).toMatch(/^(\^|>=)/)
  }
})
