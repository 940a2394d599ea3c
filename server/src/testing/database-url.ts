import type { Connection } from '#platform/database/open-database.ts'

/** As operators write it. A server that listens only on a socket is named by the folder of that socket. */
export function urlOf({ host, user, database }: Connection): string {
  return `postgresql:///${database}?${new URLSearchParams({ host: String(host), user: String(user) })}`
}
