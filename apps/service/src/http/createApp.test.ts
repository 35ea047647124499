import { describe, expect, it } from 'vitest'
import { API_KEY_HEADER, type OperationName, operations } from '@headwater/contract'
import { describeSupportedChains } from '@headwater/contract/schemas'
import manifest from '../../package.json' with { type: 'json' }
import { createTestApp } from '../../test/createTestApp.ts'
import { testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { handlers } from '../operations/index.ts'

const names = Object.keys(operations) as OperationName[]
const withoutKey = { headers: { [API_KEY_HEADER]: '' } }

/** A valid value for each path parameter. */
function fillPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    return name === 'chainId' ? '7' : testAddress(1)
  })
}

/** Converts names from camel case to snake case. */
function toWire(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

describe('each operation of the contract', () => {
  const { fetch } = createTestApp()

  it.each(names)('%s is routed to a handler', async (name) => {
    const path = fillPath(operations[name].path)
    const rejected = await fetch(path, withoutKey)
    expect(rejected.status).toBe(401)
    expect(await rejected.json()).toMatchObject({ code: 'API_KEY_MISSING' })
    expect(handlers[name]).toBeTypeOf('function')
    // The handler reads the store, which this test does not have.
    const query = operations[name].chains === 'one' ? '?chain_ids=7' : ''
    expect((await fetch(path + query)).status).toBe(500)
  })

  it.each(names)('%s is described in /openapi.json', async (name) => {
    const { paths } = (await (await fetch('/openapi.json')).json()) as {
      paths: object
    }
    expect(paths).toHaveProperty([toWire(operations[name].path), 'get'])
  })

  it.each(names)('%s is listed by the supported chains', async (name) => {
    const { chains } = (await (await fetch('/v1/evm/supported-chains')).json()) as {
      chains: Record<string, unknown>[]
    }
    // An operation below the path of another one is listed under the name of that one.
    const { path } = operations[name]
    const listed = names.find((other) => path.startsWith(`${operations[other].path}/`)) ?? name
    expect(chains).toMatchObject([{ chain_id: 7, [toWire(listed)]: { supported: true } }])
  })

  it.each(names)('%s is not served by a process that only indexes', async (name) => {
    const path = fillPath(operations[name].path)
    expect((await createTestApp({ role: 'index' }).fetch(path)).status).toBe(404)
  })
})

it('lists the supported chains without a key and without units', async () => {
  const chains = [
    testChainConfig(7, { tags: ['default', 'odd'] }),
    testChainConfig(8, { tags: [] }),
  ]
  const { fetch } = createTestApp({ chains })
  const response = await fetch('/v1/evm/supported-chains', withoutKey)
  expect(response.headers.get('x-compute-units-cost')).toBe('0')
  expect(await response.json()).toEqual(describeSupportedChains(chains))
})

it('links its documentation at /, without a key', async () => {
  const response = await createTestApp().fetch('/', withoutKey)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const links = [...(await response.text()).matchAll(/href="([^"]+)"/g)].map(([, link]) => link!)
  expect(links[0]).toBe(manifest.homepage)
  const { fetch } = createTestApp()
  for (const path of links.slice(1)) {
    expect((await fetch(`/${path}`, withoutKey)).status).not.toBe(404)
  }
})

it('serves its OpenAPI document without a key', async () => {
  const { fetch } = createTestApp()
  const response = await fetch('/openapi.json', withoutKey)
  expect(response.headers.get('etag')).toMatch(/^W\/"[\w-]+"$/)
  expect(await response.json()).toMatchObject({
    openapi: expect.stringMatching(/^3\.1/) as string,
  })
  expect((await fetch('/openapi.json', { method: 'POST' })).status).toBe(405)
})

it('lets pages of every origin send a key', async () => {
  const response = await createTestApp().fetch(`/v1/evm/balances/${testAddress(1)}`, {
    method: 'OPTIONS',
    headers: {
      [API_KEY_HEADER]: '',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': `${API_KEY_HEADER.toLowerCase()},if-none-match`,
    },
  })
  expect(response.status).toBe(204)
  const { headers } = response
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,OPTIONS')
  expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-service-api-key')
  expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
})

it('keeps a well-formed request id of the client', async () => {
  const { fetch } = createTestApp()
  const requestId = async (given: string) => {
    const { headers } = await fetch('/health', { headers: { 'X-Request-Id': given } })
    return headers.get('x-request-id')
  }
  expect(await requestId('trace-1')).toBe('trace-1')
  expect(await requestId('<script>')).toMatch(/^[\w-]{36}$/)
})

it('routes every path of /openapi.json', async () => {
  const { fetch } = createTestApp()
  const { paths } = (await (await fetch('/openapi.json')).json()) as { paths: object }
  expect(Object.keys(paths).length).toBeGreaterThan(names.length + 5)
  for (const path of Object.keys(paths)) {
    const response = await fetch(path.replace(/\{\w+\}/g, '7'), { method: 'POST' })
    expect([path, response.status]).toEqual([path, 405])
  }
})
