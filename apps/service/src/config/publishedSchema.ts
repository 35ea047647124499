import { configSchema } from './configSchema.ts'

/** The JSON schema of the file before presets are applied: fields with a preset are optional. */
export function publishedSchema(): object {
  const schema = structuredClone(configSchema) as unknown as {
    properties: { chains: { items: { required: string[] } } }
  }
  schema.properties.chains.items.required = ['id', 'rpcUrls']
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Headwater',
    ...schema,
  }
}
