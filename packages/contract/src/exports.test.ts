import { expect, it } from 'vitest'
import * as validators from './generated/validators.ts'
import * as main from './index.ts'
import * as schemas from './schemas.ts'

it('exports every operation and validator, and nothing undocumented', () => {
  expect(main).toMatchObject({ ...main.operations, ...validators })
  const derived = new Set([...Object.keys(main.operations), ...Object.keys(validators)])
  expect(
    Object.keys(main)
      .filter((name) => !derived.has(name))
      .sort(),
  ).toMatchInlineSnapshot(`
    [
      "API_KEY_HEADER",
      "CHANGES_HEADER",
      "CHANGES_PATH",
      "LOW_LIQUIDITY_USD",
      "SPAM_LIQUIDITY_USD",
      "buildUrl",
      "operations",
      "wireName",
    ]
  `)
  expect(Object.keys(schemas).sort()).toMatchInlineSnapshot(`
    [
      "InvalidRequestError",
      "changesSchemas",
      "createParameters",
      "decodeParameters",
      "describeMissingChains",
      "describeSupportedChains",
      "describeUnavailableChains",
      "findRoute",
      "openApi",
      "operationSchemas",
      "parseChangesRequest",
      "parseParameters",
      "parseRequest",
      "parseWait",
      "resolveChains",
      "responseHeaders",
    ]
  `)
})
