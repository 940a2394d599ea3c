// Made by tools/client.ts. Do not edit.

export * as mobileSession from './paze/mobile-session.ts'
export * as session from './paze/session.ts'
