// Made by tools/client.ts. Do not edit.

export * as modules from './metrics/modules.ts'
export * as totals from './metrics/totals.ts'
