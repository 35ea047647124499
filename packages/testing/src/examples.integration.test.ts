// The examples of the doc comments and the README compile.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const entries = ['index', 'msw', 'node'].map((name) => path.join(root, `src/${name}.ts`))
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
  ts.sys,
  root,
)
const program = ts.createProgram(entries, options)
const checker = program.getTypeChecker()

const documented = entries.flatMap((entry) => {
  const file = program.getSourceFile(entry)
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) {
    throw new Error(`${entry} is not a module`)
  }
  return checker.getExportsOfModule(module).map((exported) => {
    const symbol = checker.getAliasedSymbol(exported)
    return {
      name: exported.name,
      comment: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      examples: symbol
        .getJsDocTags(checker)
        .filter(({ name }) => name === 'example')
        .map(({ text }) => ts.displayPartsToString(text)),
    }
  })
})

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
/** Virtual files, by path. */
const virtual = new Map<string, string>([
  ...documented.flatMap(({ name, examples }) =>
    examples.map((text, index) => [path.join(root, `${name}.${index}.ts`), text] as const),
  ),
  ...[...readme.matchAll(/```ts\n([^]*?)```/g)].map(
    ([, text = ''], index) => [path.join(root, `README.${index}.ts`), text] as const,
  ),
])

it.each(documented)('$name has a comment and an example', ({ comment, examples }) => {
  expect(comment).not.toBe('')
  expect(examples).not.toEqual([])
  for (const text of examples) {
    expect(text).toMatch(/from '@headwater\/testing/)
  }
})

describe('examples', () => {
  it('compile', { timeout: 120_000 }, () => {
    expect([...virtual.keys()].filter((file) => file.includes('README')).length).toBe(4)
    const host = ts.createCompilerHost(options)
    const { getSourceFile, fileExists, readFile } = host
    host.fileExists = (file) => virtual.has(file) || fileExists(file)
    host.readFile = (file) => virtual.get(file) ?? readFile(file)
    host.getSourceFile = (file, language, ...rest) => {
      const text = virtual.get(file)
      return text === undefined
        ? getSourceFile(file, language, ...rest)
        : ts.createSourceFile(file, text, language, true)
    }
    const compiled = ts.createProgram(
      [...virtual.keys()],
      // Examples declare values that the code after them would use.
      { ...options, noUnusedLocals: false },
      host,
      program,
    )
    const problems = ts
      .getPreEmitDiagnostics(compiled)
      .filter(({ file }) => file === undefined || virtual.has(file.fileName))
      .map(({ file, messageText }) => [
        path.basename(file?.fileName ?? ''),
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ])
    expect(problems).toEqual([])
  })
})
