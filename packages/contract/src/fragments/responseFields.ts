import type { JsonSchema } from '../JsonSchema.ts'

/** Timestamps of a response. */
export const times = {
  request_time: {
    type: 'string',
    format: 'date-time',
    description: 'When the request was received.',
  },
  response_time: {
    type: 'string',
    format: 'date-time',
    description: 'When the response was generated.',
  },
} as const satisfies Record<string, JsonSchema>

/**
 * Warnings of a response: parts of the request that had no effect, such as unsupported chains, and chains that are missing
 * or outdated. Clients add the parts of the response that they could not parse.
 */
export const warningsOutput = {
  type: 'array',
  description:
    'Parts of the request that had no effect, and parts of the response that are missing, outdated or could not be parsed.',
  items: {
    title: 'Warning',
    type: 'object',
    description:
      'Part of the request that had no effect, or of the response that is missing, outdated or invalid.',
    properties: {
      code: {
        type: 'string',
        description:
          'Stable code: `UNSUPPORTED_CHAIN_IDS`; `CHAIN_NOT_READY`, `CHAIN_NOT_INDEXED`, `CHAIN_STOPPED`, `CHAIN_STALE`, `NODES_UNAVAILABLE`, `STORE_UNAVAILABLE` and `SEARCH_LIMIT_REACHED` for a chain that is missing; `STALE_CHAIN` for one with a head that was not confirmed recently; `PARTIAL_HISTORY` for one whose transfers of the wallet are not all known yet, so that tokens may be missing; `DEPEGGED` for stablecoins that are priced by their pools instead of at 1 USD; or another.',
      },
      message: { type: 'string', description: 'Human-readable message.' },
      chain_ids: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Affected chains.',
      },
      chain_id: { type: 'integer', description: 'Affected chain, of a warning of one chain.' },
      addresses: {
        type: 'array',
        items: { type: 'string' },
        description: 'Affected tokens of that chain in lower case, with `DEPEGGED`.',
      },
      block_number: {
        type: 'integer',
        description: 'Block that the response reflects, with `STALE_CHAIN`.',
      },
      block_time: {
        type: 'string',
        format: 'date-time',
        description: 'Time of that block, such as `2024-05-01T12:00:00Z`.',
      },
      known_since_block: {
        type: 'integer',
        description:
          'Block since which all transfers are known, with `PARTIAL_HISTORY`; absent if the latest ones are not.',
      },
      share: {
        type: 'number',
        description:
          'Share of the blocks whose transfers are known, from 0 to 1, with `PARTIAL_HISTORY`.',
      },
    },
    required: ['code', 'message'],
    examples: [
      {
        code: 'UNSUPPORTED_CHAIN_IDS',
        message: 'Chain 5 is not supported and was ignored',
        chain_ids: [5],
      },
    ],
  },
} as const satisfies JsonSchema
