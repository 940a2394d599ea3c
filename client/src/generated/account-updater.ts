// Made by tools/client.ts. Do not edit.

export * as jobs from './account-updater/jobs.ts'
