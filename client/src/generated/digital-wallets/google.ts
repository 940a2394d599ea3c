// Made by tools/client.ts. Do not edit.

export * as session from './google/session.ts'
