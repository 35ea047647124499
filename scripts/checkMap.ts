// Checks the paths of the map in AGENTS.md and the links of all documents within the repository, because both rot, and that the
// row "add an operation" names every file that names all operations.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { operations } from '../packages/contract/src/operations.ts'

const errors: string[] = []
const trackedFiles = execFileSync('git', [
  'ls-files',
  '--cached',
  '--others',
  '--exclude-standard',
  '-z',
])
  .toString()
  .split('\0')
  .filter((file) => file !== '' && existsSync(file))

const map = readFileSync('AGENTS.md', 'utf8').split('## To change X, edit Y')[1] ?? ''
const rows = map.split('\n').filter((line) => line.startsWith('- '))

/** The paths of a row. Skips commands. */
function getPaths(row: string): string[] {
  return [...row.matchAll(/`([^`]+)`/g)]
    .map(([, text]) => text!)
    .filter((text) => !/^(p?npm|headwater) /.test(text))
}

const mapPaths = rows.flatMap(getPaths)
for (const each of mapPaths.filter((name) => !existsSync(name))) {
  errors.push(`AGENTS.md: ${each} does not exist`)
}

/** Links to files of the repository that also work on npm. */
const repositoryUrl = /^https:\/\/github\.com\/headwater-project\/headwater\/(?:blob|tree)\/main\//
const links = trackedFiles
  // The build of the site checks its own links.
  .filter(
    (file) => file.endsWith('.md') && !/^\.changeset\/|^docs\/site\/|CHANGELOG\.md$/.test(file),
  )
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\]\((?!#|mailto:)([^)#\s]+)/g)].map(([, target]) => ({
      file,
      target: target!,
    })),
  )
for (const { file, target } of links) {
  const isAbsolute = /^https?:/.test(target)
  if (isAbsolute && !repositoryUrl.test(target)) {
    continue
  }
  const linked = isAbsolute
    ? target.replace(repositoryUrl, '')
    : path.join(path.dirname(file), target)
  if (!existsSync(linked)) {
    errors.push(`${file}: ${target} does not exist`)
  }
  if (!isAbsolute && /^packages\/(?!chromium|conformance)/.test(file)) {
    errors.push(`${file}: ${target} is not part of the package; link to it by URL`)
  }
}

const operationRow = rows.find((row) => row.startsWith('- add an operation:'))
const operationPaths = operationRow ? getPaths(operationRow) : []
/** Every notation of each name: `tokenInfo`, `TokenInfo`, `token_info`, `token-info`. */
const names = Object.keys(operations).map((name) => ({
  name,
  pattern: new RegExp(name.replace(/[A-Z]/g, '[-_ ]?$&'), 'i'),
}))
const findMissing = (file: string) => {
  // The tables that `generateReadmes.ts` writes are not edited.
  const text = readFileSync(file, 'utf8').replace(
    /<!-- operations -->[^]*<!-- \/operations -->/,
    '',
  )
  return names.filter(({ pattern }) => !pattern.test(text)).map(({ name }) => name)
}
const operationLists = trackedFiles
  .filter((file) => /\.(ts|tsx|js|mjs|vue|svelte|md)$/.test(file))
  // A test that needs an entry of each operation fails without it; other tests have examples of all operations.
  .filter((file) => !/\.test(-d)?\.tsx?$/.test(file))
  .filter(
    (file) =>
      !/\/generated\/|^\.changeset\/|^docs\/decisions\/|^docs\/site\/guides\/from-sim|CHANGELOG\.md$/.test(
        file,
      ),
  )
  .filter((file) => findMissing(file).length === 0)
for (const file of operationLists) {
  if (!operationPaths.some((each) => file === each || file.startsWith(`${each}/`))) {
    errors.push(
      `AGENTS.md: the row "add an operation" does not name ${file}, which names all operations`,
    )
  }
}
// The files of one operation are an example; every other file of the row must name each operation.
const listsOfRow = operationPaths.filter(
  (file) => /\.\w+$/.test(file) && !names.some(({ name }) => file.endsWith(`/${name}.ts`)),
)
for (const file of listsOfRow.filter((each) => existsSync(each))) {
  for (const name of findMissing(file)) {
    errors.push(`${file}: the operation ${name} is missing`)
  }
}

// A check that finds nothing to check has lost its input.
if (mapPaths.length === 0 || links.length === 0 || operationLists.length === 0) {
  errors.push('AGENTS.md: no rows, links or lists of operations were found')
}
for (const each of errors) {
  console.error(each)
}
if (errors.length > 0) {
  process.exit(1)
}
console.log(
  `${mapPaths.length} paths, ${links.length} links and ${operationLists.length} lists of operations checked.`,
)
