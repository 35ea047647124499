/** A JSON Schema (2020-12) as plain data: the subset that the declarations of this package use. */
export interface JsonSchema {
  readonly title?: string
  readonly description?: string
  readonly type?:
    | 'string'
    | 'number'
    | 'integer'
    | 'boolean'
    | 'object'
    | 'array'
    | 'null'
    | readonly ('integer' | 'number' | 'string' | 'null')[]
  readonly pattern?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  /** TypeScript type, where the schema alone would generate a less precise one. Read by json-schema-to-typescript. */
  readonly tsType?: string
  /** Further fields that the service always sends: clients do not require them, the OpenAPI document does. */
  readonly alwaysSent?: readonly string[]
  /** What `pattern` requires, in messages: `be …`. The pattern itself is not for users. */
  readonly patternText?: string
}

/** A JSON Schema of an object. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonSchema>>
}

/** The JSON Schemas of an operation. */
export interface OperationSchemas {
  /** One line for the OpenAPI document. */
  readonly summary: string
  readonly parameters: ObjectSchema
  readonly item: ObjectSchema
  readonly response: ObjectSchema
}
