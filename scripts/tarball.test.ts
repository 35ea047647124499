import { expect, it } from 'vitest'
import { findTarballErrors } from './tarball.ts'

const errorsOf = (files: Record<string, string>) =>
  findTarballErrors(new Map(Object.entries(files)), '/build/headwater')

const valid = {
  LICENSE: 'MIT',
  'README.md': '[docs](https://example.org/docs) and [below](#api)',
  'package.json': '{"dependencies":{"@headwater/core":"0.1.0"}}',
  'dist/index.js': 'export {}\n//# sourceMappingURL=index.js.map',
  'dist/index.js.map': '{"sources":["../src/index.ts"]}',
  'src/index.ts': 'export {}',
}

it('accepts a complete package', () => expect(errorsOf(valid)).toEqual([]))

it('requires a license', () => {
  const { LICENSE: _, ...files } = valid
  expect(errorsOf(files)).toEqual(['LICENSE is missing'])
})

it.each([
  ['src/index.test.ts', '', 'src/index.test.ts: is a test'],
  ['test/kit.ts', '', 'test/kit.ts: is a test'],
  ['src/path.ts', "'/build/headwater/src'", /names a path of the machine/],
  [
    'README.md',
    '[guide](../../docs/guide.md)',
    /the link \.\.\/\.\.\/docs\/guide\.md does not work/,
  ],
  ['README.md', '![logo](logo.png)', /the link logo\.png does not work/],
  ['dist/index.d.ts', '//# sourceMappingURL=index.d.ts.map', /refers to dist\/index\.d\.ts\.map/],
  ['dist/index.js.map', '{"sources":["../lib/index.ts"]}', /refers to lib\/index\.ts/],
  ['package.json', '{"dependencies":{"a":"workspace:*"}}', /a has the range workspace:\*/],
])('rejects %s with %s', (file, text, error) => {
  expect(errorsOf({ ...valid, [file]: text })).toEqual([
    typeof error === 'string' ? error : expect.stringMatching(error),
  ])
})
