/** What a sandbox adds: simulated providers and services, operations, jobs, and what its first start makes. */
export type Sandbox = NonNullable<Awaited<ReturnType<typeof openSandbox>>>

/** Null in production, which never loads a line of it. */
export async function openSandbox(environment: 'sandbox' | 'production') {
  return environment === 'sandbox' ? (await import('#sandbox/open.ts')).sandbox : null
}
