import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { publishedSchema } from './publishedSchema.ts'

// Validates like an editor: without defaults and without presets.
const validate = new Ajv({
  allErrors: true,
  allowUnionTypes: true,
  formats: { uri: (text: string) => URL.canParse(text), 'database-url': true },
}).compile(publishedSchema())
const rpcUrls = ['http://127.0.0.1:8545']

it.each<[string, object]>([
  ['a minimal file', { chains: [{ id: 8453, rpcUrls }] }],
  ['a file with $schema', { $schema: './schema.json', chains: [{ id: 1, rpcUrls }] }],
  [
    'nodes with limits',
    { chains: [{ id: 1, rpcUrls: [...rpcUrls, { url: 'https://b/key', requestsPerSecond: 25 }] }] },
  ],
  [
    'a database, a role, a rate',
    {
      chains: [{ id: 1, rpcUrls }],
      databaseUrl: 'postgres://a@b/c',
      role: 'serve',
      defaultRate: '10/s',
    },
  ],
])('accepts %s', (_, file) => {
  validate(file)
  expect(validate.errors).toBeNull()
})

it.each<[string, object, string]>([
  ['a misspelled option', { chain: [], chains: [{ id: 1, rpcUrls }] }, ''],
  ['a misspelled option of a chain', { chains: [{ id: 1, rpcUrls, finalDepth: 3 }] }, '/chains/0'],
  ['a chain without nodes', { chains: [{ id: 1 }] }, '/chains/0'],
  ['a node that is not a URL', { chains: [{ id: 1, rpcUrls: ['eth'] }] }, '/chains/0/rpcUrls/0'],
  ['an unknown role', { chains: [{ id: 1, rpcUrls }], role: 'both' }, '/role'],
])('reports the path of %s', (_, file, path) => {
  expect(validate(file)).toBe(false)
  expect(validate.errors?.map(({ instancePath }) => instancePath)).toContain(path)
})
