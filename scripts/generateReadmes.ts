// Writes the tables of operations in the READMEs, between the comments `<!-- operations -->` and `<!-- /operations -->`, the
// limits of bundle sizes, between `<!-- sizes -->` and `<!-- /sizes -->`, and the code of the templates and integrations, between
// `<!-- code integrations/next/next.config.ts -->` and `<!-- /code -->`.
// `--check` writes nothing and fails if they are out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import budgets from '../.size-limit.js'
import {
  type AnyOperation,
  type OperationName,
  operations,
} from '../packages/contract/src/operations.ts'
import { operationSchemas } from '../packages/contract/src/operationSchemas.ts'

const names = Object.keys(operations) as OperationName[]

const capitalize = (name: string) => name[0]!.toUpperCase() + name.slice(1)

const rows = names.map((name) => {
  const { cost, chains, pagination }: AnyOperation<object> = operations[name] as never
  const { summary, item, response } = operationSchemas[name]
  const isListing = pagination !== undefined && pagination.limit.maximum > 1
  const units = cost({}, () => 1)
  return {
    name,
    noun: capitalize(name),
    summary,
    isListing,
    data: isListing ? `${item.title}[]` : response.title,
    units: chains === 'many' ? `${units} per chain` : isListing ? `${units} per page` : `${units}`,
  }
})

function table(header: readonly string[], body: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...body]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const core = table(
  ['data', 'promise', 'query options', 'stream', 'paginator', 'units'],
  rows.map(({ name, noun, summary, isListing, units }) => [
    summary,
    `\`get${noun}\``,
    `\`${name}QueryOptions\``,
    `\`watch${noun}\``,
    isListing ? `\`paginate${noun}\`` : '',
    units,
  ]),
)

const binding = (prefix: string) =>
  table(
    ['Operation', 'Description'],
    rows.map(({ noun, summary, data }) => [
      `\`${prefix}${noun}(parameters, options)\``,
      `${summary}; \`data\` is \`${data}\`.`,
    ]),
  )

/** The limits that `pnpm check:size` enforces, of an app with all dependencies. */
const suffix = ', rxjs and query-core included'
const limits = new Map(budgets.map(({ name, limit }) => [name, limit]))
const sizes = table(
  ['imports', 'at most', 'condition `es2015`'],
  [...limits]
    .filter(([name]) => name.endsWith(suffix))
    .map(([name, limit]) => [
      name.slice(0, -suffix.length),
      limit,
      limits.get(`${name}, condition es2015`)!,
    ]),
)

/** The READMEs that are generated in part; undefined: without a table. */
const readmes = {
  'packages/core/README.md': core,
  'packages/react/README.md': binding('use'),
  'packages/vue/README.md': binding('use'),
  'packages/svelte/README.md': binding('create'),
  'packages/nuxt/README.md': undefined,
  'packages/testing/README.md': undefined,
}

/** A file of a template or an integration, which starts with its path inside of the app. */
function codeOf(file: string): string {
  const name = file.replace(/^(integrations|packages\/create-headwater\/templates)\/[^/]+\//, '')
  const extension = path.extname(file).slice(1)
  const comment = extension === 'svelte' || extension === 'vue' ? `<!-- ${name} -->` : `// ${name}`
  return `\`\`\`${extension}\n${comment}\n${readFileSync(file, 'utf8').trim()}\n\`\`\``
}

const stale: string[] = []
for (const [file, text] of Object.entries(readmes)) {
  const current = readFileSync(file, 'utf8')
  const parts = current.split(/(?<=<!-- operations -->)[^]*(?=<!-- \/operations -->)/)
  if (parts.length !== (text === undefined ? 1 : 2)) {
    throw new Error(`${file} has no place for the table of operations.`)
  }
  const withCode = parts
    .join(`\n\n${text}\n\n`)
    .replace(/(?<=<!-- sizes -->)[^]*(?=<!-- \/sizes -->)/, `\n\n${sizes}\n\n`)
    .replace(
      /(<!-- code (\S+) -->)[^]*?(<!-- \/code -->)/g,
      (_, start: string, source: string, end: string) => `${start}\n\n${codeOf(source)}\n\n${end}`,
    )
  const wanted = await format(withCode, {
    ...(await resolveConfig(file)),
    filepath: file,
  })
  if (wanted !== current) {
    stale.push(file)
  }
  if (!process.argv.includes('--check')) {
    writeFileSync(file, wanted)
  }
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Out of date (${stale.join(', ')}): run \`pnpm generate\` and commit the result.`)
  process.exit(1)
}
console.log(stale.length === 0 ? 'The READMEs are up to date.' : `Wrote ${stale.join(', ')}.`)
