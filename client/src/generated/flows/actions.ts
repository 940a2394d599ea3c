// Made by tools/client.ts. Do not edit.

export * as outcomes from './actions/outcomes.ts'
export * as rules from './actions/rules.ts'
