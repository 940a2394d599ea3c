// Made by tools/client.ts. Do not edit.

export * as incidents from './monitoring/incidents.ts'
export * as metrics from './monitoring/metrics.ts'
