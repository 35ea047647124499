import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Project } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import { createProject } from './createProject.ts'
import { migrateFile } from './migrateFile.ts'

const fixtures = path.join(import.meta.dirname, '../test/fixtures')

function migrate(text: string, baseUrl = '/api/headwater', name = '/file.tsx') {
  return migrateFile(createProject().createSourceFile(name, text), baseUrl)
}

const usingHook = (code: string) =>
  migrate(`import { useTokenBalances } from '@duneanalytics/hooks'\n${code}`)

const usingProvider = (code: string) =>
  migrate(`import { DuneProvider } from '@duneanalytics/hooks'\n${code}`)

const removedComment = 'A comment was removed: it was within code that was rewritten.'

/** The statements after the imports. */
const statementsOf = (text: string | undefined) =>
  new Project({ useInMemoryFileSystem: true })
    .createSourceFile('/file.tsx', text)
    .getStatements()
    .map((statement) => statement.getText())
    .filter((statement) => !statement.startsWith('import'))

describe('the migration of an app', () => {
  // `check:types` compiles those that need no further edits with `@headwater/react`.
  it.each([
    ['App', 'tsx'],
    ['Dashboard', 'txt'],
    ['Proxied', 'txt'],
    ['fetchTokens', 'txt'],
  ])('of %s has the expected code and notes', async (name, extension) => {
    const input = readFileSync(path.join(fixtures, `${name}.input.txt`), 'utf8')
    const { text, notes } = migrate(input)
    await expect(text ?? '').toMatchFileSnapshot(`${fixtures}/${name}.migrated.${extension}`)
    const lines = notes.map(({ line, message }) => `${line}: ${message}\n`)
    await expect(lines.join('')).toMatchFileSnapshot(`${fixtures}/${name}.notes.txt`)
    expect(migrate(text ?? input).text).toBeUndefined()
  })

  it('does nothing to other files', () => {
    const text = "import { useBalances } from '@headwater/react'\nexport const a = useBalances"
    expect(migrate(text)).toEqual({ text: undefined, notes: [] })
  })

  it('is that of JavaScript with types, too', () => {
    const code = `import { useTokenBalances } from '@duneanalytics/hooks'
type Props = { a: string }
export const useRows = ({ a }: Props) => { const { data } = useTokenBalances(a); return data?.balances }`
    expect(migrate(code, undefined, '/file.js').text).toContain('return data }')
  })

  it.each([
    'const { data = useTokenBalances(a)',
    '<<<<<<< HEAD\nuseTokenBalances(a)\n>>>>>>> main',
  ])('does not guess what a file with a syntax error is: %s', (code) => {
    const { text, notes } = usingHook(code)
    expect(text).toBeUndefined()
    expect(notes).toMatchObject([{ message: expect.stringContaining('syntax error') as string }])
  })
})

describe('the guide', () => {
  const guide = readFileSync(
    path.join(import.meta.dirname, '../../../docs/site/guides/from-sim.md'),
    'utf8',
  )
  const rows = [
    ...guide.split('| `@duneanalytics/hooks`')[1]!.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm),
  ]
  const names = rows.flatMap(([, old = '', own = '']) =>
    [...old.matchAll(/\b((?:use|fetch)[A-Z]\w+)/g)].map(([, name]) => ({ name: name!, own })),
  )

  it('has the names of the codemod', () => {
    expect(names).toHaveLength(9)
  })

  it.each(names)('agrees about $name', ({ name, own }) => {
    const { text, notes } = migrate(
      `import { ${name} } from '@duneanalytics/hooks'\nexport const rows = ${name}(a)`,
    )
    const messages = notes.map(({ message }) => message).join()
    expect(messages).not.toContain('unknown')
    if (own === 'not available') {
      expect(messages).toContain('has no equivalent')
    } else {
      expect(text ?? messages).toMatch(/useBalances\(|getBalances\(client/)
    }
  })
})

describe('the client', () => {
  const app = (key: string) =>
    `import { DuneProvider } from '@duneanalytics/hooks'
export const App = ({ own }) => <DuneProvider duneApiKey=${key}><p /></DuneProvider>`

  it('has the key if it is not behind a proxy', () => {
    const { text, notes } = migrate(app('{import.meta.env.VITE_KEY}'), 'https://data.example.org')
    expect(text).toContain(
      "createClient({ baseUrl: 'https://data.example.org', apiKey: import.meta.env.VITE_KEY })",
    )
    expect(notes).toEqual([])
  })

  it.each([`"https://own.example"`, `'https://own.example'`, `{'https://own.example'}`])(
    'has no key behind the proxy %s',
    (url) => {
      const { text, notes } = migrate(app(`{import.meta.env.VITE_KEY} proxyUrl=${url}`))
      expect(text).toMatch(/createClient\(\{ baseUrl: ["']https:\/\/own.example["'] \}\)/)
      expect(notes).toMatchObject([{ message: expect.stringContaining('createProxy') as string }])
    },
  )

  it.each([
    'export const App = memo(function App({ url }) { return <DuneProvider proxyUrl={url} /> })',
    'class App extends Component { render() { return <DuneProvider proxyUrl={this.props.url} /> } }',
    "export const App = () => <DuneProvider proxyUrl={url} />\nconst url = '/own'",
  ])('leaves out what is not known where it is created: %s', (code) => {
    const { text, notes } = migrate(`import { DuneProvider } from '@duneanalytics/hooks'\n${code}`)
    expect(text).toContain("createClient({ baseUrl: '/api/headwater' })")
    expect(notes[0]?.message).toContain('useState')
  })

  it.each([
    '// eslint-disable-next-line complexity',
    '// @ts-expect-error: untyped',
    '/** The app. */',
    '/** The app. */\n// eslint-disable-next-line complexity',
  ])('is created before the comments of the statement: %s', (comments) => {
    const { text } = usingProvider(
      `// Components\n\n${comments}\nexport const App = () => <DuneProvider />`,
    )
    expect(text).toContain(`// Components

const headwaterClient = createClient({ baseUrl: '/api/headwater' })

${comments}
export const App`)
  })

  it.each([
    "'use client'\n\n",
    '/* License */\n\n',
    "/* License */\n'use client' // for hooks\n",
    '/* License */\n',
  ])('is created after the header of the file: %s', (header) => {
    const { text } = migrate(
      `${header}import { DuneProvider } from '@duneanalytics/hooks' // old
export const App = () => <DuneProvider />`,
    )
    expect(text).toBe(`${header}import { createClient } from '@headwater/core'
import { HeadwaterProvider } from '@headwater/react' // old
const headwaterClient = createClient({ baseUrl: '/api/headwater' })

export const App = () => <HeadwaterProvider client={headwaterClient} />`)
  })

  it.each([
    '[1].forEach(() => <DuneProvider />)',
    '(() => <DuneProvider />)()',
    '`${<DuneProvider />}`',
    '<DuneProvider />',
    'const App = () => <DuneProvider />;',
  ])('is a statement of its own before %s', (code) => {
    const statements = statementsOf(usingProvider(code).text)
    expect(statements).toHaveLength(2)
    expect(statements[0]).toBe(
      "const headwaterClient = createClient({ baseUrl: '/api/headwater' });",
    )
  })

  it('is one for all providers of equal options', () => {
    const { text } = usingProvider(`export const App = () => <DuneProvider duneApiKey={key} />
export const Test = () => <DuneProvider duneApiKey="test" />
export const Other = () => <DuneProvider proxyUrl="/other" />`)
    expect(text).toContain('App = () => <HeadwaterProvider client={headwaterClient} />')
    expect(text).toContain('Test = () => <HeadwaterProvider client={headwaterClient} />')
    expect(text).toContain('Other = () => <HeadwaterProvider client={headwaterClient2} />')
    expect(text!.match(/ = createClient/g)).toHaveLength(2)
  })

  it.each(['key={id}', '{...properties}', 'apiKey="key"'])(
    'does not have a property that it does not know, with a note: %s',
    (property) => {
      const { text, notes } = usingProvider(`export const App = () => <DuneProvider ${property} />`)
      expect(text).toContain('<HeadwaterProvider client={headwaterClient} />')
      expect(notes[0]?.message).toContain('other than `duneApiKey` and `proxyUrl`')
    },
  )

  it('leaves out a key that only a component knows', () => {
    const { text, notes } = migrate(app('{own}'), 'https://data.example.org')
    expect(text).toContain("createClient({ baseUrl: 'https://data.example.org' })")
    expect(notes).toMatchObject([
      { line: 2, message: expect.stringContaining('useState') as string },
    ])
  })
})

describe('imports', () => {
  it('have names that the file does not contain', () => {
    const { text } = migrate(`import { createClient } from 'viem'
import { DuneProvider, useTokenBalances } from '@duneanalytics/hooks'
export const useBalances = (address: string) => useTokenBalances(address, { limit: 10 })
export const App = () => <DuneProvider><p>{createClient.useBalances}</p></DuneProvider>`)
    expect(text).toContain("import { createClient as createClient2 } from '@headwater/core'")
    expect(text).toContain('= createClient2({')
    expect(text).toContain(
      "import { HeadwaterProvider, useBalances as useBalances2 } from '@headwater/react'",
    )
    expect(text).toContain('=> useBalances2({ address }, { pageSize: 10 })')
  })

  it('are not repeated', () => {
    const { text } = migrate(`import { useBalances as useRows } from '@headwater/react'
import { useTokenBalances } from '@duneanalytics/hooks'
export const { data } = useTokenBalances(a)`)
    expect(text).toBe(`import { useBalances as useRows } from '@headwater/react'

export const { data } = useRows({ address: a })`)
  })

  it.each([
    "import Hooks, { useTokenBalances } from '@duneanalytics/hooks'\nexport const { data } = useTokenBalances(a)",
    "import * as Hooks from '@duneanalytics/hooks'\nexport const { data } = Hooks.useTokenBalances(a)",
  ])('of all names remain, with a note, and with their uses: %s', (code) => {
    const { text, notes } = migrate(code)
    expect(text).toBeUndefined()
    expect(notes).toMatchObject([{ line: 1, message: expect.stringContaining('one by one') }])
  })

  it('remain beside those of a hook that is also used without a call', () => {
    const { text } = usingHook('const { data } = useTokenBalances(a)\nmock(useTokenBalances)')
    expect(text).toMatch(
      "import { useBalances } from '@headwater/react'\nimport { useTokenBalances } from '@duneanalytics/hooks'",
    )
  })

  it.each([
    "import type { TokenBalance } from '@duneanalytics/hooks'",
    "export { useTokenBalances } from '@duneanalytics/hooks'",
    "jest.mock('@duneanalytics/hooks')",
    "const hooks = await import('@duneanalytics/hooks')",
  ])('of other kinds remain, with a note where one would be missed: %s', (code) => {
    const { text, notes } = migrate(code)
    expect(text).toBeUndefined()
    expect(notes).toHaveLength(code.startsWith('import type') ? 0 : 1)
  })
})

describe('the use of a response', () => {
  it.each([
    ['data?.balances.map(f)', 'data?.map(f)'],
    ['data?.balances?.map(f)', 'data?.map(f)'],
    ['data?.balances[0]', 'data?.[0]'],
    ['data.balances.length', 'data.length'],
    ['data!.balances', 'data!'],
    ['data?.balances!.length', 'data?.length'],
    ['data.balances!.length', 'data!.length'],
    ['data?.balances!', 'data!'],
    ['data?.balances ?? []', 'data ?? []'],
  ])('%s becomes %s', (before, after) => {
    const { text, notes } = usingHook(`const { data } = useTokenBalances(a)\nuse(${before})`)
    expect(text).toMatch(`use(${after})`)
    expect(notes).toEqual([])
  })

  it('is migrated in the arguments of another hook', () => {
    const { text } = usingHook(`const first = useTokenBalances(a)
const { data } = useTokenBalances(first.data?.balances[0]?.address ?? '', { limit: first.data!.balances.length })
if (first.isLoading) stop()`)
    expect(text).toBe(`import { useBalances } from '@headwater/react'
const first = useBalances({ address: a })
const { data } = useBalances({ address: first.data?.[0]?.address }, { pageSize: first.data!.length })
if ((first.status === 'pending' && first.fetchStatus !== 'idle')) stop()`)
  })

  it.each([
    ['const [a] = useState("")', 'a', 'a || undefined'],
    ["const [a] = useState<string>('')", 'a', 'a || undefined'],
    ["let a = ''", 'a', 'a || undefined'],
    ['', "ok ? a : ''", "(ok ? a : '') || undefined"],
    ['const [a] = useState<string>()', 'a', 'a'],
    ['', "(a ?? '')", 'a'],
    ['', "(a ?? '') as string", 'a'],
    ['', "(a || '')!", 'a'],
    ['', "a ?? '0x'", 'a'],
    ['', '(a || "0x") as Address', 'a'],
    ['', 'a ?? ``', 'a'],
    ['', "(ok ? a : '') as string", "(ok ? a : '') || undefined"],
    ['', 'a as string', 'a as string'],
  ])('%s of the address %s becomes %s', (declaration, before, after) => {
    const { text } = usingHook(`${declaration}\nconst { data } = useTokenBalances(${before})`)
    expect(text).toContain(`useBalances({ address: ${after} })`)
  })

  it.each(["({ a = '' }: P)", "({ b: a = '' }: P)", "(a = '')"])(
    'of a component with a default that is empty becomes undefined: %s',
    (parameters) => {
      const { text } = usingHook(`export const use = ${parameters} => useTokenBalances(a).error`)
      expect(text).toContain('useBalances({ address: a || undefined })')
    },
  )

  it('has a note when it is compared with null, as it is a boolean', () => {
    const { text, notes } = usingHook(
      'const { data } = useTokenBalances(a)\nuse(data?.next_offset == null)',
    )
    expect(text).toContain('use(hasNextPage == null)')
    expect(notes).toMatchObject([{ line: 3, message: expect.stringContaining('boolean') }])
  })

  it('defines isLoading before its uses', () => {
    const others = usingHook(
      'const { isLoading } = useTokenBalances(a), n = { isLoading, one: isLoading ? 1 : 2 }',
    )
    const loading = "(status === 'pending' && fetchStatus !== 'idle')"
    expect(others.text).toContain(
      `const { status, fetchStatus } = useBalances({ address: a }), n = { isLoading: ${loading}, one: ${loading} ? 1 : 2 }`,
    )
    const inLine = usingHook('const { isLoading } = useTokenBalances(a); use(isLoading)')
    expect(inLine.text).toContain("fetchStatus !== 'idle';\n use(isLoading)")
  })

  it('is migrated where a result is destructured in another statement', () => {
    const { text, notes } = usingHook(`const result = useTokenBalances(a)
const { data, isLoading } = result
use(isLoading, data?.balances.length)`)
    expect(text).toContain(`const result = useBalances({ address: a })
const { data, status, fetchStatus } = result
const isLoading = status === 'pending' && fetchStatus !== 'idle'
use(isLoading, data?.length)`)
    expect(notes).toEqual([])
  })

  it('defines isLoading with the indentation of the statement before', () => {
    const { text } = usingHook('{\n\tconst { isLoading } = useTokenBalances(a)\n}')
    expect(text).toContain('\n\tconst isLoading = status')
  })

  it.each([
    'const { isLoading } = useTokenBalances(a);\n[1].forEach(f);\n',
    'const { isLoading } = useTokenBalances(a);\n(f)();\n',
    'const { isLoading } = useTokenBalances(a);\n`${f}`;\n',
    'const { isLoading } = useTokenBalances(a)\n;[1].forEach(f)\n',
  ])('defines isLoading in a statement of its own: %s', (code) => {
    expect(statementsOf(usingHook(`${code}use(1)`).text)).toHaveLength(4)
  })

  it.each([
    'const { balances = [] } = data || {}',
    'use((data || {}).balances)',
    'use(data?.next_offset || 0)',
    'use(x && (data || y))',
    'use([data])',
    'const list = [data, 1]',
    'useList([data])',
  ])('as a value has a note: %s', (code) => {
    const { notes } = usingHook(`const { data } = useTokenBalances(a)\n${code}`)
    expect(notes).toMatchObject([{ line: 3 }])
  })

  it.each([
    'if (data) use()',
    'if (data || x) use()',
    'if (x || data) use()',
    'if ((x && data) || y) use()',
    'use(!(data || x))',
    'use(data || x ? 1 : 2)',
    'use((data || x) && y)',
    'use(data && y)',
    'useEffect(f, [data])',
    'React.useMemo<T>(f, [x, data])',
    'useEffect(f, [data?.next_offset])',
  ])('as a condition has no note: %s', (code) => {
    const { notes } = usingHook(`const { data } = useTokenBalances(a)\n${code}`)
    expect(notes).toEqual([])
  })

  it('avoids names that the file contains', () => {
    const { text } = usingHook('const { isLoading } = useTokenBalances(a)\nconst status = 1')
    expect(text).toContain('const { status: status2, fetchStatus } = useBalances({ address: a })')
    expect(text).toContain("const isLoading = status2 === 'pending' && fetchStatus !== 'idle'")
  })

  it.each([
    'const { data: { balances } } = ',
    'const { data = none } = ',
    'const { error, ...rest } = ',
    'use(',
    'const f = () => ',
  ])('of an unusual form has a note: %s', (start) => {
    const { notes } = usingHook(`${start}useTokenBalances(a)${start.startsWith('use') ? ')' : ''}`)
    expect(notes).toHaveLength(1)
  })
})

it.each(['${address}', "${wallet?.address ?? ''}", '${encodeURIComponent(a / b)}'])(
  'names the function of a request to the address %s',
  (address) => {
    const { notes } = migrate(
      `fetch(\`https://api.sim.dune.com/v1/evm/balances/${address}?chain_ids=1\`)`,
    )
    expect(notes).toMatchObject([{ message: expect.stringContaining('getBalances') as string }])
  },
)

describe('the arguments of a hook', () => {
  it('may have names in quotes', () => {
    const { text, notes } = usingHook(
      `const { data } = useTokenBalances(a, { 'chainIds': '1,10', "limit": 50 })`,
    )
    expect(text).toContain('useBalances({ address: a, chainIds: [1, 10] }, { pageSize: 50 })')
    expect(notes).toEqual([])
  })

  it.each([
    ["'1, 10,mainnet'", ", chainIds: [1, 10, 'mainnet']"],
    ['`1,10`', ', chainIds: [1, 10]'],
    ["''", ''],
  ])('may be the chains %s', (before, after) => {
    const { text, notes } = usingHook(
      `const { data } = useTokenBalances(a, { chainIds: ${before} })`,
    )
    expect(text).toContain(`useBalances({ address: a${after} })`)
    expect(notes).toEqual([])
  })

  it('may be all chains, which are no longer a parameter', () => {
    const { text, notes } = usingHook("const { data } = useTokenBalances(a, { chainIds: 'all' })")
    expect(text).toContain('useBalances({ address: a })')
    expect(notes).toMatchObject([{ message: expect.stringContaining('`default`') as string }])
  })

  it.each(['...args', 'a, ...args', '...a, b'])('that are spread remain: %s', (args) => {
    const { text, notes } = usingHook(`const { data } = useTokenBalances(${args})`)
    expect(text).toBeUndefined()
    expect(notes).toMatchObject([{ line: 2, message: expect.stringContaining('spread') as string }])
  })

  it('after the second one have a note', () => {
    const { text, notes } = usingHook('const { data } = useTokenBalances(\na,\n{},\nb, c)')
    expect(text).toContain('useBalances({ address: a })')
    expect(notes).toMatchObject([{ line: 5, message: expect.stringContaining('second') as string }])
  })
})

describe('comments', () => {
  it.each(['// Rows', '/* Rows */', '/* Rows */ // Loading', '/* Rows\n of all chains */'])(
    'remain behind the statement that they follow: %s',
    (comment) => {
      const { text, notes } = usingHook(
        `const { isLoading } = useTokenBalances(a); ${comment}\nuse(isLoading)`,
      )
      expect(text).toContain(
        `useBalances({ address: a }); ${comment}\nconst isLoading = status === 'pending' && fetchStatus !== 'idle';\nuse(isLoading)`,
      )
      expect(notes).toEqual([])
    },
  )

  it('remain in parameters', () => {
    const { text, notes } = usingHook(`const { data } = useTokenBalances(
  // Of the route
  wallet ?? '', // may be unknown
  {
    // Without testnets
    chainIds: '1,10', // the largest
    /** Per page. */
    limit: 50, // at most
    /* all */ excludeSpamTokens: false, /* see below */ metadata: 'logo',
    /* The end
    of it */
  },
)`)
    expect(text).toBe(`import { useBalances } from '@headwater/react'
const { data } = useBalances({
// Of the route
address: wallet, // may be unknown
// Without testnets
chainIds: [1, 10], // the largest
/* all */
excludeSpamTokens: false,
/* see below */
metadata: ['logo'] /* The end
    of it */
}, {
/** Per page. */
pageSize: 50 // at most
})`)
    expect(notes).toEqual([])
  })

  it('remain in what is destructured', () => {
    const { text, notes } = usingHook(`const {
  // The rows
  data, // of all chains
  isLoading, // at first
  ...rest // the others
} = useTokenBalances(a)
use(data.next_offset)`)
    expect(text).toContain(`const {
// The rows
data, // of all chains
hasNextPage,
status, fetchStatus, // at first
...rest // the others
} = useBalances({ address: a })
`)
    expect(notes.filter(({ message }) => message === removedComment)).toEqual([])
  })

  it.each([
    'const { data } = useTokenBalances(a, { filters: 1, limit: /* many */ 9 })',
    "const { data } = useTokenBalances(a, { chainIds: /* all */ '1' })",
    'const { data } = useTokenBalances(a, { /* none */ })',
    'const { data } = useTokenBalances(a, /* none */ {})',
    'const { data /* rows */, error } = useTokenBalances(a)',
    "const { data } = useTokenBalances(a /* unknown at first */ ?? '')",
    'const { data } = useTokenBalances(a)\nuse(f(() => data /* rows */ .balances))',
  ])('that are removed have a note: %s', (code) => {
    const { text, notes } = usingHook(code)
    expect(text).not.toContain('/*')
    expect(notes).toEqual([{ line: code.includes('use(f') ? 3 : 2, message: removedComment }])
  })

  it('of a removed property of the provider have a note', () => {
    const { notes } = usingProvider(`export const App = () => (
  <DuneProvider
    // Of the team
    duneApiKey="key"
  />
)`)
    expect(notes).toContainEqual({ line: 4, message: removedComment })
  })

  it('within a default of what is destructured remain, with its migration', () => {
    const { text } = usingHook(`const first = useTokenBalances(a)
const { data = /* rows */ first.data.balances } = useTokenBalances(b)`)
    expect(text).toContain('const { data = /* rows */ first.data } = useBalances({ address: b })')
  })

  it('of a removed parameter have one note, in the arguments of another hook too', () => {
    const { notes } = usingHook(`const f = () => useTokenBalances(
  useTokenBalances(a, {
    // The first page
    offset: 0,
  }),
)`)
    expect(notes.filter(({ message }) => message === removedComment)).toEqual([
      { line: 4, message: removedComment },
    ])
  })
})
