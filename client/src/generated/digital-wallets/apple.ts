// Made by tools/client.ts. Do not edit.

export * as session from './apple/session.ts'
