// Made by tools/client.ts. Do not edit.

export * as session from './click-to-pay/session.ts'
