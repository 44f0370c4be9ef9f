/** A JSON Schema (2020-12) as OpenAPI 3.1 holds it; what the page shows of it. */
export interface ApiSchema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly readOnly?: boolean
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | ApiSchema
  readonly propertyNames?: ApiSchema
  readonly items?: ApiSchema
  readonly anyOf?: readonly ApiSchema[]
  readonly oneOf?: readonly ApiSchema[]
  readonly allOf?: readonly ApiSchema[]
}

export interface ApiExample {
  readonly summary: string
  readonly value: unknown
}

export interface ApiContent {
  readonly schema: ApiSchema
  readonly examples?: Readonly<Record<string, ApiExample>>
}

export interface ApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: ApiSchema
}

export interface ApiAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: ApiSchema }>>
  readonly content?: Readonly<Record<string, ApiContent>>
}

export interface ApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** The summary in Chinese. */
  readonly 'x-summary-zh': string
  /** Roles of the keys that may call it; left out: everyone may. */
  readonly 'x-roles'?: readonly string[]
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: {
    readonly required: true
    readonly description: string
    readonly content: Readonly<Record<string, ApiContent>>
  }
  readonly responses: Readonly<Record<string, ApiAnswer>>
}

/** An OpenAPI 3.1 document, as far as we write one. */
export interface ApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, ApiSchema>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}
