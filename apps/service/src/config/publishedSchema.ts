import { configSchema } from './configSchema.ts'

/** The JSON schema of the file as an operator writes it: what is known of a chain's id may be left out. */
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
