// Made by tools/client.ts. Do not edit.

export * as sessions from './checkout/sessions.ts'
