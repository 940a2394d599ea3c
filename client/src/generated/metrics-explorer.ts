// Made by tools/client.ts. Do not edit.

export * as metrics from './metrics-explorer/metrics.ts'
export * as presets from './metrics-explorer/presets.ts'
