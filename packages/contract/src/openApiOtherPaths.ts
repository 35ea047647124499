import { addressInput } from './fragments/address.ts'
import { chainIdInput } from './fragments/chains.ts'
import { operations } from './operations.ts'
import { wireName } from './wireName.ts'

const parameters = {
  chain_id: chainIdInput,
  contract: addressInput,
  token_address: addressInput,
  token_id: { type: 'string', pattern: '^[0-9]+$', description: 'Token id, a uint256.' },
} as const

const image = {
  200: { description: 'The image.', content: { 'image/*': {}, 'video/*': {} } },
  304: { description: 'The image that `If-None-Match` names is current.' },
  404: { description: 'There is no supported image.' },
  503: { description: 'The source is unreachable, or the metadata is not fetched yet.' },
}

const readiness = {
  type: 'object',
  properties: { ready: { type: 'boolean' }, chains: { type: 'array', items: { type: 'object' } } },
}

const supportedChains = {
  type: 'object',
  properties: {
    chains: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Chain name.' },
          chain_id: { type: 'integer', description: 'Chain id.' },
          tags: { type: 'array', items: { type: 'string' }, description: 'Tags of the chain.' },
          ...Object.fromEntries(
            Object.keys(operations).map((name) => [
              wireName(name),
              { type: 'object', properties: { supported: { type: 'boolean' } } },
            ]),
          ),
        },
        required: ['name', 'chain_id', 'tags'],
      },
    },
  },
  required: ['chains'],
}

const descriptions = {
  '/v1/evm/collectible/image/{chain_id}/{contract}/{token_id}': {
    operationId: 'collectibleImage',
    summary: 'Image of an NFT',
    responses: image,
  },
  '/beta/token/logo/{chain_id}': {
    operationId: 'nativeLogo',
    summary: 'Logo of a native asset',
    responses: image,
  },
  '/beta/token/logo/{chain_id}/{token_address}': {
    operationId: 'tokenLogo',
    summary: 'Logo of a token',
    responses: image,
  },
  '/v1/evm/supported-chains': {
    operationId: 'supportedChains',
    summary: 'Chains of the service',
    responses: { 200: json('The chains and their tags.', supportedChains) },
  },
  '/openapi.json': {
    operationId: 'openApi',
    summary: 'This document',
    responses: { 200: json('An OpenAPI document.', { type: 'object' }) },
  },
  '/health': {
    operationId: 'health',
    summary: 'Whether the process runs',
    responses: {
      200: json('It runs.', { type: 'object', properties: { status: { const: 'ok' } } }),
    },
  },
  '/ready': {
    operationId: 'ready',
    summary: 'Whether requests can be served, and the progress of the chains',
    parameters: [
      {
        name: 'chain_ids',
        in: 'query',
        required: false,
        description: 'Ids and tags of chains, all of which must be available.',
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: ['integer', 'string'] } },
      },
    ],
    responses: {
      200: json('The chains, or at least one chain without `chain_ids`, are available.', readiness),
      503: json('A chain is not indexed yet, stopped or stale.', readiness),
    },
  },
  '/metrics': {
    operationId: 'metrics',
    summary: 'Metrics of the process and its chains',
    responses: {
      200: { description: 'Metrics in the Prometheus format.', content: { 'text/plain': {} } },
    },
  },
}

/** The paths beside the operations, as OpenAPI describes them. They need no key and cost no units. */
export const otherPaths = Object.fromEntries(
  Object.entries(descriptions).map(([path, description]) => [
    path,
    {
      get: {
        ...description,
        security: [],
        parameters: [
          ...describeParameters(path),
          ...('parameters' in description ? description.parameters : []),
        ],
      },
    },
  ]),
)

function describeParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { description, ...schema } = parameters[name as keyof typeof parameters]
    return { name, in: 'path', required: true, description, schema }
  })
}

function json(description: string, schema: object) {
  return { description, content: { 'application/json': { schema } } }
}
